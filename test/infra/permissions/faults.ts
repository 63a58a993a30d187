import type { Permission, Recording } from './permission.ts';

type Permissions = Record<string, readonly Permission[]>;

/** What the functions did in all files together. */
export function union(recordings: readonly Recording[]): Permissions {
  const all = new Map<string, Set<Permission>>();
  for (const { calls } of recordings)
    for (const [name, permissions] of Object.entries(calls))
      all.set(name, new Set([...(all.get(name) ?? []), ...permissions]));
  return Object.fromEntries([...all].map(([name, permissions]) => [name, [...permissions]]));
}

/** Every missing permission, and in a complete run every unused one. */
export function permissionFaults(
  used: Permissions,
  allowed: Permissions,
  { wasWhole }: { wasWhole: boolean },
): string[] {
  const beyond = (some: Permissions, others: Permissions, says: string): string[] =>
    Object.entries(some).flatMap(([name, permissions]) =>
      permissions.filter((one) => !others[name]?.includes(one)).map((one) => `${name} ${says} ${one}`),
    );
  const missing = beyond(used, allowed, 'may not, but does:');
  const unused = wasWhole ? beyond(allowed, used, 'may, but never does:') : [];
  return [...missing, ...unused].sort();
}
