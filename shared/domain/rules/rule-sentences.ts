/**
 * What can be wrong with a request, with the sentence of the API. A page in another language translates the rule and
 * its values, not the sentence. Each rule is a separate export, so a bundle contains only the sentences that it uses.
 */

export const not_valid = { not_valid: 'is not valid' };
export const required = { required: 'is required' };
export const wrong_type = { wrong_type: 'must be {type}' };
export const exactly = { exactly: 'must be {value}' };
export const one_of = { one_of: 'must be one of {options}' };
export const access_level = { access_level: 'must be read, write or admin' };
export const true_or_false = { true_or_false: 'must be true or false' };
export const unknown_field = { unknown_field: 'is not a known field' };
export const renamed_field = { renamed_field: 'is not a known field; use {use}' };

export const empty = { empty: 'must not be empty' };
export const too_long = { too_long: 'must have at most {most} characters' };
export const too_short = { too_short: 'must have at least {least} characters' };
export const length = { length: 'must have {least} to {most} characters' };
export const too_many = { too_many: 'must have at most {most} {entries}' };
export const too_few = { too_few: 'must have at least {least} {entries}' };
export const characters = { characters: 'contains characters that are not allowed' };
export const card_number = { card_number: 'contains what looks like a card number; never send card numbers' };

export const too_large = { too_large: 'is too large' };
export const at_most = { at_most: 'must be at most {most}' };
export const below = { below: 'must be less than {most}' };
export const at_least = { at_least: 'must be at least {least}' };
export const above = { above: 'must be more than {least}' };
export const positive = { positive: 'must be above 0' };
export const range = { range: 'must be between {least} and {most}' };
export const whole_amount = { whole_amount: 'must be a whole number of minor units' };
export const amount_size = {
  amount_size: 'The amount of {path} must be a whole number of minor units between 0 and {most}.',
};

export const email = { email: 'must be an e-mail address' };
export const phone = { phone: 'must be a phone number, such as +49 30 1234567' };
export const colour = { colour: 'must be a colour such as #0b5c58' };
export const country_code = { country_code: 'must be an ISO 3166-1 alpha-2 code, such as DE' };
export const country = { country: '{country} is not a country with known taxes.' };
export const currency_code = { currency_code: 'must be one of the {count} supported ISO 4217 codes' };
export const paid_currency = { paid_currency: 'must be one of {count} ISO 4217 codes' };
export const language = { language: 'must be a language tag, such as fr or pt-BR' };
export const id = { id: 'must be an id that starts with {prefix}_' };
export const id_length = { id_length: 'must have exactly 21 letters or digits after {prefix}_' };
export const date_time = { date_time: 'must be an RFC 3339 time' };
export const years = { years: 'must be in the years 0000 to 9999' };
export const day = { day: 'must be a date such as 2026-03-01' };
export const decimal = { decimal: 'must be a decimal string, such as "0.02" for 2 %' };
export const decimal_places = {
  decimal_places: 'must be a decimal string of at most six places, such as "0.02" for 2 %',
};

export const absolute_address = { absolute_address: 'must be an absolute https address' };
export const plain_address = { plain_address: 'must be an absolute https address without credentials' };
export const return_address = { return_address: 'must be an absolute https address or app link, without credentials' };
export const https_address = { https_address: 'must be an https address' };
export const address_credentials = { address_credentials: 'must not contain credentials' };
export const address_fragment = { address_fragment: 'must not have a fragment' };
export const address_port = { address_port: 'must use port 443 or 8443' };
export const address_host = { address_host: 'must have a host of 1 to {most} characters' };
export const address_public = { address_public: 'must lead to a public address' };
export const address_own = { address_own: 'must not be an address of this service' };
export const address_internal = { address_internal: 'must have a public host name' };

export const key_in_past = { key_in_past: 'The time when a key expires must be in the future.' };
export const key_after_maker = {
  key_after_maker:
    'The new key must expire by {end}, as the key that creates it does. Leave the end out to use that time.',
};
export const key_cannot_refund = { key_cannot_refund: 'is only for keys that may refund' };
export const keys_full = { keys_full: 'There are {most} API keys already. Revoke one first.' };
export const key_missing = { key_missing: 'Send your API key as "Authorization: Bearer sk_…".' };
export const key_malformed = { key_malformed: 'This is not a well-formed API key.' };
export const key_unknown = { key_unknown: 'This API key is unknown or has been revoked.' };
export const key_mode = {
  key_mode: 'This key is of {key} mode, but this stack runs in {stack} mode: use a key that starts with sk_{stack}_.',
};
export const not_live = { not_live: 'This merchant is not live yet; use the sandbox stack.' };
export const member_email = { member_email: 'Enter one e-mail address, such as name@example.com.' };
export const member_exists = { member_exists: 'This address already has a member or an invitation.' };
export const member_joined = { member_joined: 'This member has already signed in.' };
export const member_owner_first = {
  member_owner_first: 'Invite an owner first. Others can follow once the owner has signed in.',
};
export const member_last_owner = {
  member_last_owner: 'The last owner cannot leave or have another role. Make another owner first.',
};
export const member_role = { member_role: 'There is no such role.' };
export const members_full = { members_full: 'There are {most} members already. Remove one first.' };
export const secret_rotations = {
  secret_rotations:
    'The last {most} signing secrets are still good, each for 24 hours after its rotation. Rotate again after {time}.',
};
export const no_mail = { no_mail: 'This stack does not send mail.' };

export const brands_full = { brands_full: 'At most {most} brands are allowed.' };
export const product_archived = { product_archived: 'The product {product} is archived.' };
export const quantity_order = { quantity_order: 'must be at least the minimum' };
export const not_chosen = { not_chosen: 'needs pay_what_you_want' };
export const price_type = { price_type: 'only one_time_price is supported, and a type cannot be changed' };
export const price_discount = { price_discount: 'discounts are not supported: leave it out, or send 0' };
export const amount_minimum = { amount_minimum: 'The minimum is {least} ({currency}, minor units).' };
export const amount_minimum_or_zero = {
  amount_minimum_or_zero: 'The minimum is {least}, or 0 ({currency}, minor units).',
};
export const amount_maximum = { amount_maximum: 'The maximum is {most} ({currency}, minor units).' };
export const total_minimum = {
  total_minimum: 'A payment in {currency} must be 0 or at least {least} minor units; this one is {total}.',
};
export const charge_minimum = {
  charge_minimum:
    'The processor charges at least {least} minor units of {currency}, in steps of {step}. This cart costs {total}.',
};
export const charge_maximum = {
  charge_maximum:
    'The processor charges at most {most} minor units of {currency}, in steps of {step}. This cart costs {total}.',
};
export const discount_minimum = {
  discount_minimum: 'The code needs a subtotal of at least {least} ({currency}, minor units).',
};
export const price_suggested = {
  price_suggested: 'price.suggested_price must be at least the minimum price, {minimum}.',
};
export const price_maximum = {
  price_maximum: 'price.maximum_price must be at least the minimum and the suggested price.',
};
export const price_presets = {
  price_presets:
    'price.preset_amounts must be at most {most} different amounts in ascending order, which a buyer may choose.',
};
export const tax_flags = {
  tax_flags: 'tax_inclusive, price.tax_inclusive and price.tax_mode are different; send one of them',
};
export const tax_anchor = { tax_anchor: 'needs the tax_mode location' };
export const prices_full = { prices_full: 'A product has at most {most} localized prices.' };
export const market_mode_missing = { market_mode_missing: 'Give the product a pricing_mode first.' };
export const market_country_missing = {
  market_country_missing: 'A price of a product by_country needs a country_code.',
};
export const market_country_extra = { market_country_extra: 'A price of a product by_currency has no country_code.' };
export const market_is_base = { market_is_base: 'The product itself has a price in {currency}. Change that one.' };
export const market_exists = { market_exists: 'The product has a price for {market}. Change or archive that one.' };
export const market_amount = { market_amount: 'A localized price must be above 0.' };
export const market_limits = { market_limits: 'Only a price that the buyer chooses has limits.' };

export const image_id = { image_id: 'must be the image_id of an upload' };
export const image_bytes = { image_bytes: 'must be between 1 and {most} bytes (3 MB)' };
export const image_large = { image_large: 'The image is larger than {most} bytes (3 MB).' };
export const image_unknown = { image_unknown: 'This file is not an image. Upload a PNG, JPEG or WebP file.' };
export const image_pixels = {
  image_pixels: 'The image has {width} × {height} pixels; at most {most} a side and 25 million in all are accepted.',
};
export const image_parts = { image_parts: 'The image is made of more than {most} {parts}.' };
export const image_damaged = { image_damaged: 'The image is damaged: {damage}.' };
export const image_animated = { image_animated: 'Animated images are not accepted.' };

export const discount_code = { discount_code: 'must have 3 to 16 letters, digits, _ or -' };
export const discount_code_taken = { discount_code_taken: 'Another discount has this code.' };
export const discount_limits = { discount_limits: 'must not be above usage_limit.' };
export const discount_end = { discount_end: 'must be after starts_at.' };
export const discount_percentage = {
  discount_percentage: 'A percentage is at most {most} basis points, which is 100 %.',
};
export const discount_currencies = { discount_currencies: 'A flat code needs at least one currency.' };
export const discount_amounts = {
  discount_amounts: 'A flat code needs max_amount_possible in each currency but the default one.',
};
export const discount_default = { discount_default: 'Of several currencies exactly one is the default.' };
export const discount_currency_twice = { discount_currency_twice: 'A currency has one row.' };
export const discount_guests = { discount_guests: 'is required, unless you send emails' };

export const entitlement_type = {
  entitlement_type:
    '{type} is not given out here; use one of {options}. For others, your own code can act on entitlement_grant.* webhooks',
};
export const config_field = { config_field: 'is not a field of {type}' };
export const entitlement_file = { entitlement_file: 'must be a file of this entitlement' };
export const legacy_files = { legacy_files: 'must be empty: upload the files to this entitlement' };
export const key_duration = { key_duration: 'duration_count and duration_interval belong together' };
export const pool_by_hand = { pool_by_hand: 'must be manual for a pool' };
export const entitlement_twice = { entitlement_twice: 'Attach each entitlement only once.' };
export const key_not_enabled = { key_not_enabled: 'must be true, or leave out the other fields of licence keys' };
export const key_twice = { key_twice: 'cannot be combined with an attached entitlement of licence keys' };
export const cart_keys = {
  cart_keys: 'This cart needs {keys} licence keys or codes. A cart has at most {most}.',
};

export const registration_whole_country = {
  registration_whole_country: 'A registration in {country} covers the whole country. Leave out the region.',
};
export const registration_state = {
  registration_state: 'The region is required: sales tax is registered with a state.',
};
export const registration_province = {
  registration_province: '{region} collects no separate tax. Register GST and HST with CA, without a region.',
};
export const registration_oss = { registration_oss: 'OSS needs a member state of the European Union.' };
export const registration_businesses = {
  registration_businesses: 'How businesses in {country} are taxed is known: {mode}. Leave it out.',
};
export const registration_begun = {
  registration_begun: 'The registration has begun, and sales are declared under it. It can only end.',
};
export const small_seller_union = {
  small_seller_union:
    'Only a merchant that is established in a member state of the European Union can tax small sales at home.',
};
export const small_seller_one_state = {
  small_seller_one_state:
    'Confirm that you are established in one member state only. Otherwise the rule does not apply.',
};
export const small_seller_bound = {
  small_seller_bound: 'You have chosen the tax of the buyer’s place, which binds two calendar years. Return on {day}.',
};
export const small_seller_none = { small_seller_none: 'Small sales are not taxed at home now.' };
export const registration_end = { registration_end: 'The end of a registration must be after its beginning.' };
export const region = { region: '{region} is not a region of {country}.' };
export const tax_id = { tax_id: '{taxId} is not a valid tax id of {country} ({format}).' };
export const override_prefix = { override_prefix: 'A postal code prefix must have letters or digits.' };
export const override_end = { override_end: 'The end of an override must be after its beginning.' };
export const override_added = { override_added: 'An override that adds a tax must be taxable.' };
export const override_component = { override_component: 'A taxable override must have a component.' };
export const override_no_component = {
  override_no_component: 'An override that is {taxability} must not have components.',
};
export const override_zero = { override_zero: 'The rate of a zero_rated override must be 0.' };
export const override_above_zero = { override_above_zero: 'A taxable rate must be above 0. Use zero_rated for 0.' };
export const override_rate = { override_rate: 'The rate {rate} is above 100 %.' };
export const override_rates = { override_rates: 'The rates come to more than 100 % of the price.' };
export const override_customer = { override_customer: 'A certificate needs the customer who has it.' };
export const override_certificate = { override_certificate: 'Give the number of the customer’s certificate.' };
export const override_exempt = { override_exempt: 'An override for a customer must replace the rate, and be exempt.' };
export const override_overlap = {
  override_overlap: 'The override {override} already applies there from {from} before {to}.',
};
export const override_overlap_open = {
  override_overlap_open: 'The override {override} already applies there from {from} without an end.',
};
export const tax_rules_full = { tax_rules_full: 'At most {most} {rules} are allowed.' };

export const endpoints_full = { endpoints_full: 'There are {most} webhook endpoints already. Delete one first.' };
export const endpoint_disabled = { endpoint_disabled: 'The webhook endpoint {endpoint} is disabled; enable it first.' };
export const event_type = { event_type: 'is not an event type, such as payment.succeeded or payment.*' };
export const event_types = { event_types: 'must list at least one event type; leave it out to receive all' };
export const event_notice = {
  event_notice: 'The event {event} is a notice to the merchant and is never sent to an endpoint.',
};
export const event_test = { event_test: 'The event {event} is a test of the webhook endpoint {endpoint} only.' };

export const return_kind = { return_kind: 'Choose what is to be made.' };
export const return_from = { return_from: 'Choose a first day.' };
export const return_to = { return_to: 'Choose a last day.' };
export const return_order = { return_order: 'The last day must not be before the first day.' };
export const return_days = { return_days: 'A file covers at most {most} days.' };
export const return_filed = { return_filed: 'The return from {from} to {to} is filed, and never changes.' };
export const return_open = {
  return_open: 'This return cannot be filed: its period was not over, or exchange rates are missing. Make it again.',
};
export const return_outdated = { return_outdated: 'Another return was filed since. Make this one again.' };
export const return_month = {
  return_month: 'A recapitulative statement covers a month or a quarter, such as 1 January to 31 March.',
};
export const return_monthly = { return_monthly: 'In this state, a recapitulative statement covers a month.' };
export const return_home = {
  return_home: 'The return of your own state is made for sellers in the European Union: choose another return.',
};
export const return_quarter = { return_quarter: 'An OSS return covers a quarter, such as 1 January to 31 March.' };

export const export_bytes = { export_bytes: 'The file would be larger than 5 MB: choose a shorter period.' };
export const export_payments = {
  export_payments:
    'There are more than {most} payments or refunds: choose a shorter period, or make the file on the page Returns.',
};
export const export_commands = { export_commands: 'More than {most} commands in this period: choose a shorter one.' };

export const refund_lines = { refund_lines: 'must list at least one line; leave it out to refund everything' };
export const refund_type = { refund_type: 'may only be "tax": the whole remaining tax' };
export const refund_either = { refund_either: 'cannot be combined with items; send one of them' };
export const refund_tax = { refund_tax: 'refunds the whole remaining tax; leave out amount and items' };
export const refund_tax_reason = {
  refund_tax_reason: 'Say with tax_reason why no tax is due: reverse_charge, exempt or place_corrected.',
};
export const refund_tax_corrected = {
  refund_tax_corrected:
    'Add the tax id of the business to the payment instead. Its invoice is then corrected, and the tax with it.',
};
export const refund_tax_charged = {
  refund_tax_charged: 'A registered seller charges businesses in {country} too: there is no reverse charge.',
};
export const refund_tax_only = { refund_tax_only: 'tax_reason belongs to a refund of the tax. Send type tax with it.' };
export const refund_tax_alone = {
  refund_tax_alone: 'A refund of the tax returns the whole remaining tax. Leave out amount and items.',
};
export const refund_currency = {
  refund_currency: 'The payment {payment} was paid in {currency}, so it cannot be refunded in {other}.',
};
export const refund_changed = {
  refund_changed: 'The refundable amount is {refundable}, not {expected}. Check it and try again.',
};
export const refund_line_twice = { refund_line_twice: 'List each line only once.' };
export const refund_line_unknown = { refund_line_unknown: 'The payment has no line {line}.' };
export const refund_line_spent = { refund_line_spent: 'Nothing is left to refund on {line}.' };
export const refund_line_low = { refund_line_low: 'The amount must be at least 1.' };
export const refund_line_high = { refund_line_high: 'At most {most} can be refunded on this line.' };
export const refund_high = { refund_high: 'At most {most} of this payment can be refunded.' };
export const refund_no_tax = { refund_no_tax: 'No tax is left to refund on this payment.' };
export const refund_window = { refund_window: 'Refunds are possible within {days} days of the payment.' };
export const refund_step = {
  refund_step: 'The processor refunds {currency} in steps of {step} minor units. This refund would return {amount}.',
};
export const refund_step_near = {
  refund_step_near:
    'The processor refunds {currency} in steps of {step} minor units. This refund would return {amount}. Ask for {near}, tax included.',
};
export const refund_room = {
  refund_room:
    'This payment has {refunds} refunds and its record has no room for another. Refund the whole rest at once: leave out the amount.',
};
export const refund_room_reason = {
  refund_room_reason:
    'This payment has {refunds} refunds and its record has no room for another with such a long reason. Shorten the reason.',
};
export const refund_limit = {
  refund_limit:
    'This API key refunds up to {most} {currency} a day, in minor units; {left} are left until midnight UTC.',
};
export const refund_limit_currency = {
  refund_limit_currency: 'This API key refunds payments in {currency} only.',
};

export const correction_decided = {
  correction_decided: 'This payment has no correction to decide on, or it is decided already.',
};
export const correction_nothing = { correction_nothing: 'Nothing is left of this payment to correct.' };
export const correction_refund = {
  correction_refund: 'A refund is on its way. Correct the invoice when it has ended.',
};
export const correction_disputed = { correction_disputed: 'The buyer’s bank disputes this payment.' };
export const dispute_not_lost = {
  dispute_not_lost: 'The dispute is {status}. Only a lost dispute lowers the tax.',
};
export const dispute_took_nothing = {
  dispute_took_nothing: 'The dispute took nothing of this payment: all of it had been refunded before.',
};
export const dispute_ground_chosen = {
  dispute_ground_chosen: 'The ground of this loss is chosen: {ground}. To change it, name it in replaces.',
};
export const correction_part = {
  correction_part: 'Only a part of the tax in the price of {line} falls away. Refund it by hand.',
};
export const correction_changed = { correction_changed: 'The taxes of this place have changed since the sale.' };
export const correction_step = {
  correction_step:
    'The processor refunds {currency} in steps of {step} minor units, so not the tax of {tax}. Leave the invoice as it is, and refund an amount by hand.',
};

export const erase_payment = {
  erase_payment: 'The payment {payment} has not ended. Erase the customer’s data when it has.',
};
export const erase_correction = {
  erase_correction: 'A correction of the tax of {payment} is not decided. Erase the customer’s data when it has.',
};
export const erase_refund = {
  erase_refund: 'The refund {refund} has not ended. Erase the customer’s data when it has.',
};
export const erase_withdrawal = {
  erase_withdrawal: 'The withdrawal {withdrawal} is not decided. Erase the customer’s data when it is.',
};
export const erase_dispute = {
  erase_dispute: 'The dispute {dispute} is not decided. Erase the customer’s data when it has.',
};
export const mail_placeholder = {
  mail_placeholder: 'No mail can fill in {wrong}. The known names in braces are {known}.',
};
export const mail_lines = { mail_lines: 'Enter at most {most} lines.' };
export const erasing = { erasing: 'The personal data of {customer} is being erased. Try again when that has ended.' };
