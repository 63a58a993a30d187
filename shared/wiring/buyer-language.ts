import { currentAddressOf, type OwnedOrder, ownerIdOf } from '../domain/portal/order-owner.ts';
import { env } from '../env.ts';
import { customers } from './runtime.ts';

/** The mail language that the buyer of an order has chosen in the portal; undefined if none was chosen. */
export const chosenLanguage = async (order: OwnedOrder): Promise<string | undefined> =>
  (await recordOf(order))?.language;

/** The address to which an order belongs now; empty if its buyer is erased. */
export const currentAddress = async (order: OwnedOrder): Promise<string> =>
  currentAddressOf(order, await recordOf(order));

const recordOf = (order: OwnedOrder) => customers().find(ownerIdOf(order, env.merchant().id));
