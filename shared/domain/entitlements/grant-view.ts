import type { Entitlement } from './entitlement.ts';
import type { Grant } from './grant.ts';
import type { KeyState } from './license-key.ts';

/** A grant with what it gives: the entitlement as it is now, and its licence key. */
export interface GrantView {
  grant: Grant;
  /** The entitlement; undefined if its row does not exist. */
  entitlement: Entitlement | undefined;
  key: KeyState | undefined;
  /** The tokens of links to its files, by file id; absent if the caller gets none. */
  tokens?: ReadonlyMap<string, string>;
}
