import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { offeredFiles } from '../../domain/entitlements/files.ts';
import { grantsOwedBy, type OwedGrant } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import { type ArrivedFiles, lookForFiles } from './entitlement-files.ts';

export interface OrderFilesDeps {
  grants: Pick<GrantStore, 'findMany'>;
  entitlements: Pick<EntitlementStore, 'findMany'>;
  files: Pick<ArrivedFiles, 'look'>;
  now: () => Date;
}

/** What a grant of files gives its buyer, with the line that it is for. */
export interface OrderFiles {
  line: number;
  grantId: string;
  url: string | null;
  instructions: string | null;
  files: readonly { id: string; name: string; size: number }[];
}

/**
 * The files that a payment gives now: of delivered grants whose access has not ended, and only files whose bytes are
 * there. Reads nothing for a payment without files, and writes nothing.
 */
export async function filesOfOrder(deps: OrderFilesDeps, payment: Payment): Promise<OrderFiles[]> {
  const owed = grantsOwedBy(payment).filter(({ entitlement }) => entitlement.type === 'digital_files');
  if (owed.length === 0) return [];
  const [entitlements, grants] = await Promise.all([
    deps.entitlements.findMany([...new Set(owed.map(({ entitlement }) => entitlement.id))]),
    deps.grants.findMany(owed.map(({ id }) => id)),
  ]);
  const looked = new Map(
    await Promise.all(
      [...entitlements].map(async ([id, entitlement]) => [id, await lookForFiles(deps, entitlement)] as const),
    ),
  );
  return owed.flatMap((one) => {
    const grant = grants.get(one.id);
    const entitlement = looked.get(one.entitlement.id);
    return grant && entitlement && noAccessOf(grant, payment) === undefined ? givenFiles(one, entitlement) : [];
  });
}

function givenFiles({ id: grantId, line }: OwedGrant, { config }: Entitlement): OrderFiles[] {
  if (config.type !== 'digital_files') return [];
  const { url, instructions } = config;
  const files = offeredFiles(config).map((file) => ({ id: file.id, name: file.name, size: file.size ?? 0 }));
  return [{ line, grantId, url, instructions, files }];
}
