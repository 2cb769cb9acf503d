/* A small, good board file for tests to damage, and files in a folder of their own. */
#pragma once

/* The sample has one element per line. */
extern const char sample_board[];

/* A copy of `text` with the first `from` replaced by `to`; fails the test if `from` is missing. Release with free(). */
char *replaced(const char *text, const char *from, const char *to);

/* A fresh folder below the build's temporary place; remove_folder deletes it with its files. */
char *make_folder(void);
void remove_folder(char *folder);

/* Writes folder/name and returns the path; free(). */
char *put_file(const char *folder, const char *name, const char *text);
