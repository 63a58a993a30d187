import type { Customer } from '../domain/checkout/buyer.ts';
import type { PayerAnswer } from './answers/buyer.ts';
import { payerConstants } from './constants.ts';

/** The buyer, in the same form in every object of the API. */
export const presentCustomer = ({ id, email, name, phone }: Customer): PayerAnswer => ({
  customer_id: id,
  email,
  name,
  ...payerConstants,
  phone_number: phone,
});
