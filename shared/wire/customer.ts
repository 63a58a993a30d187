import type { Customer } from '../domain/checkout/buyer.ts';

/** The buyer as every object of the dialect shows them. */
export const presentCustomer = ({ id, email, name, phone }: Customer) => ({
  customer_id: id,
  email,
  name,
  metadata: {},
  phone_number: phone,
});
