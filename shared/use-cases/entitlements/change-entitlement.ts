import { fieldsOf } from '../../domain/access/audit.ts';
import { type AccessRules, type Entitlement, newEntitlement } from '../../domain/entitlements/entitlement.ts';
import { type ConfigFields, changeConfig, newConfig } from '../../domain/entitlements/entitlement-config.ts';
import type { EntitlementType } from '../../domain/entitlements/line-entitlement.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import { retryStale } from '../retry.ts';
import { lookForFiles, type ReadEntitlementDeps, removeDropped } from './entitlement-files.ts';

export interface CreateEntitlementDeps {
  entitlements: Pick<EntitlementStore, 'save'>;
  now: () => Date;
  newId: (prefix: 'ent') => string;
}

export interface EntitlementRequest extends Pick<Entitlement, 'name' | 'description' | 'access' | 'metadata'> {
  type: EntitlementType;
  config: ConfigFields;
}

/** Creates an entitlement. No product gives it before it is attached to one. */
export async function createEntitlement(
  deps: CreateEntitlementDeps,
  { type, config, ...fields }: EntitlementRequest,
  claim: Claim<Entitlement>,
  details: { product?: string } = {},
): Promise<Entitlement> {
  const origin = { id: deps.newId('ent'), now: deps.now().toISOString() };
  const entitlement = newEntitlement({ ...fields, config: newConfig(type, config) }, origin);
  const command = { command: 'entitlement.create' as const, subject: entitlement.id, details };
  await deps.entitlements.save(entitlement, claim(entitlement, command));
  return entitlement;
}

export interface ChangeEntitlementDeps {
  entitlements: Pick<EntitlementStore, 'get' | 'save'>;
  now: () => Date;
}

/** The fields to change. Missing ones keep their values. */
interface EntitlementChange {
  name?: string | undefined;
  description?: string | null | undefined;
  config?: ConfigFields | undefined;
  access?: Partial<AccessRules> | undefined;
  metadata?: Entitlement['metadata'] | undefined;
}

/**
 * Changes only the named fields. Earlier buyers get the changed content too. Their grants keep the earlier access
 * rules.
 */
export const updateEntitlement = (
  deps: ReadEntitlementDeps,
  id: string,
  change: EntitlementChange,
  claim: Claim<Entitlement>,
): Promise<Entitlement> =>
  retryStale(async () => {
    const stored = await deps.entitlements.get(id);
    const before = await lookForFiles(deps, stored);
    const { name = before.name, description = before.description, metadata = before.metadata, config, access } = change;
    const entitlement: Entitlement = {
      ...before,
      name,
      description,
      metadata,
      config: config ? changeConfig(before.config, config) : before.config,
      access: { ...before.access, ...access },
      updatedAt: deps.now().toISOString(),
    };
    const details = { changed: fieldsOf(change) };
    await deps.entitlements.save(
      entitlement,
      claim(entitlement, { command: 'entitlement.update', subject: id, details }),
    );
    await removeDropped(deps, stored, entitlement);
    return entitlement;
  });

/** Deletes an entitlement for later sales. Earlier buyers keep it. */
export const deleteEntitlement = (
  deps: ChangeEntitlementDeps,
  id: string,
  claim: Claim<Entitlement>,
): Promise<Entitlement> =>
  retryStale(async () => {
    const before = await deps.entitlements.get(id);
    const entitlement = { ...before, isActive: false, updatedAt: deps.now().toISOString() };
    const command = { command: 'entitlement.delete' as const, subject: id, details: {} };
    await deps.entitlements.save(entitlement, claim(entitlement, command));
    return entitlement;
  });
