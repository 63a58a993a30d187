/** The commits of the releases. A commit identifies a version even in a copy of the repository without tags. */
export const releases = { '0.2.0': '97cf8f7a' } as const;

/** The commit "Release 0.2.0". */
export const version020 = releases['0.2.0'];
