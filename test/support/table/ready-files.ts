import { entitlements } from '../../../shared/wiring/runtime.ts';

/** Marks all files of an entitlement as arrived, without a bucket. */
export async function makeFilesReady(entitlementId: string): Promise<void> {
  const entitlement = await entitlements().get(entitlementId);
  const { config } = entitlement;
  if (config.type !== 'digital_files') throw new Error(`${entitlementId} gives no files.`);
  const files = config.files.map((file) => ({ ...file, size: 3, isReady: true }));
  await entitlements().save({ ...entitlement, config: { ...config, files } }, []);
}
