/** How far a key reaches; each level holds the ones before it. */
export const accessLevels = ['read', 'write'] as const;
export type Access = (typeof accessLevels)[number];

/** Whether what a key has covers what is needed. */
export const isPermitted = (held: { access: Access }, needed: Access): boolean =>
  accessLevels.indexOf(held.access) >= accessLevels.indexOf(needed);
