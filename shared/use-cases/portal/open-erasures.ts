import type { ErasureRequest } from '../../domain/portal/erasure-request.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';

export interface OpenErasuresDeps {
  portals: Pick<PortalStore, 'listErasureRequests'>;
  customers: Pick<CustomerStore, 'findMany'>;
}

/** Buyers' requests for erasure for which the merchant has not started an erasure yet, oldest first. */
export async function openErasures({ portals, customers }: OpenErasuresDeps): Promise<ErasureRequest[]> {
  const requests = await portals.listErasureRequests();
  const records = await customers.findMany(requests.map(({ customerId }) => customerId));
  const isOpen = ({ customerId, requestedAt }: ErasureRequest) =>
    (records.get(customerId)?.erasure?.requestedAt ?? '') < requestedAt;
  return requests.filter(isOpen).reverse();
}
