import type { Stage } from './merchant.ts';

/** The registers that answer only requests with credentials. */
export const closedRegisters = ['hmrc', 'abn'] as const;
export type ClosedRegister = (typeof closedRegisters)[number];

/**
 * The name of a stage's credentials for a register in the parameter store: HMRC's client id and client secret in two
 * lines, the GUID of the Australian register in one.
 */
export const registerSecretName = (merchantId: string, stage: Stage, register: ClosedRegister): string =>
  `/tillstack/${merchantId}/${stage}/registers/${register}`;
