/* Replaces a folder in one step. The new folder is made beside the old one and gets hard links to the other files of the old one; all is
 * synced, then both are exchanged. Whenever the program is ended, the place holds the old folder or the new one. */
#pragma once

#include <stdbool.h>

struct dse_swap {
    char *place, *parent, *made; /* where it goes, the folder of that, and the folder to be filled */
    bool there;                  /* something is in its place */
};

/* Makes the folder beside; its parent is there. False where that cannot be: the place is the working folder or holds it, is
 * a mounted file system's own, or its parent cannot be written to. */
bool dse_swap_begin(const char *path, struct dse_swap *swap);

/* Carries over what has no name in the new folder yet. False where the file system cannot (errno): abort then. */
bool dse_swap_carry(const struct dse_swap *swap);

/* Exchanges, and removes the old folder. False (errno) where the file system cannot; the old folder is in its place then. Releases
 * the swap either way. */
bool dse_swap_commit(struct dse_swap *swap);

/* Removes what was made beside, and releases. */
void dse_swap_abort(struct dse_swap *swap);

/* Removes a folder and all that is in it. */
void dse_swap_remove(const char *path);
