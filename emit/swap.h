/* Replaces a folder in one step. The new folder is made beside the old one and gets hard links to the other files of the old one. All is synced, then
 * both are exchanged. Whenever the program is ended, the place holds the old folder or the new one. */
#pragma once

#include <stdbool.h>

struct dse_swap {
    char *place, *parent, *made; /* destination, its parent folder, and the folder to be filled */
    bool there;                  /* the destination exists */
};

/* Makes the folder beside; its parent must exist. False if that is impossible: the destination is or contains the working folder, is the root of a
 * mounted file system, or its parent is not writable. */
bool dse_swap_begin(const char *path, struct dse_swap *swap);

/* Carries over everything without a name in the new folder. False if the file system cannot (errno); abort then. */
bool dse_swap_carry(const struct dse_swap *swap);

/* Exchanges the two, and removes the old folder. False (errno) if the file system cannot; the old folder is then in its place. Releases the swap in
 * either case. */
bool dse_swap_commit(struct dse_swap *swap);

/* Removes the folder made beside, and releases the swap. */
void dse_swap_abort(struct dse_swap *swap);

/* Removes a folder and all that is in it. */
void dse_swap_remove(const char *path);
