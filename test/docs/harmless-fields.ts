interface HarmlessFields {
  /** Where they are sent. */
  where: string;
  fields: readonly string[];
  /** Why the sender is not misled. */
  because: string;
}

const sessions = '`POST /checkouts`, `POST /checkouts/preview`';
const editable = ['business_name', 'city', 'country', 'name', 'state', 'street', 'tax_id', 'zipcode'];

/** Every field that is accepted with any value and changes nothing. Others are refused when they ask for something. */
export const harmlessFields: readonly HarmlessFields[] = [
  { where: sessions, fields: ['short_link'], because: '`checkout_url` leads to the same page; it is only longer.' },
  {
    where: sessions,
    fields: ['minimal_address'],
    because: 'It counts only with `confirm: true`, which is refused. The page asks for no more than the tax needs.',
  },
  {
    where: sessions,
    fields: ['mandate_min_amount_inr_paise'],
    because: 'It is about mandates of subscriptions. A cart has one-time products only.',
  },
  {
    where: sessions,
    fields: ['customization.theme', 'customization.theme_config'],
    because:
      'Looks only. The page has the colour and the logo of the brand, and follows the buyer’s light or dark mode.',
  },
  {
    where: sessions,
    fields: ['customization.show_order_details', 'customization.show_on_demand_tag'],
    because: 'The order is always shown, and no product is on demand.',
  },
  {
    where: sessions,
    fields: editable.map((field) => `feature_flags.allow_customer_editing_${field}`),
    because:
      'The page asks for what the tax needs, and the buyer can correct it. The payment shows what the buyer confirmed.',
  },
  {
    where: sessions,
    fields: ['customer.create_new_customer'],
    because: 'One e-mail address is one customer. The payment names its id.',
  },
  {
    where: '`POST /products`, `PATCH /products/{}`',
    fields: ['price.purchasing_power_parity'],
    because:
      'In the dialect it lowers prices only after the business has turned it on, which is not possible here. The answer says `false`.',
  },
];
