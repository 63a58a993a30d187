/** The commits of the releases: a version means its commit, whether or not a copy of the repository has its tag. */
export const releases = { '0.2.0': '97cf8f7a' } as const;

/** The commit "Release 0.2.0". */
export const version020 = releases['0.2.0'];
