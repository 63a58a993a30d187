/** The text that a reader should read before any operation. */
export const introduction = `Hosted payments on the merchant’s own AWS account: products, checkout, payments, refunds and signed webhooks, with tax.
It speaks the dialect of Dodo Payments, so the official \`dodopayments\` SDKs work when you set their base URL.

**Authentication.** Send \`Authorization: Bearer <key>\`. A key that begins with \`sk_test_\` works on a sandbox stack, one with \`sk_live_\` on a live stack.
A key has \`read\`, \`write\` or \`admin\` access, each with the ones before it. The right to refund, \`refunds\`, is separate.

**Money** is a whole number of minor units of its currency: 1999 in EUR is 19.99, 1999 in JPY is 1999, 1999 in KWD is 1.999. The digits follow ISO 4217.

**Tax.** With \`tax_inclusive\`, the displayed price contains the tax: the total never changes, net and tax follow from the buyer’s place and the tax category.
Without it, the tax is added. With \`tax_mode\` \`location\`, the buyer’s country decides which. \`net + tax = total\` holds for each line and for the sum.

**Pay what you want.** \`pay_what_you_want\` lets the buyer choose the amount of one unit. \`price\` is then the minimum, which is enforced. \`suggested_price\` is what the page
proposes, and is not enforced. \`maximum_price\` is the most. \`allow_zero\` lets a buyer pay
nothing as well, and \`preset_amounts\` are the page’s buttons. An \`amount\` in a cart locks the buyer’s choice.

**Idempotency.** Send an \`Idempotency-Key\` with every write. The same key and request answer what was stored, with \`idempotent-replayed: true\`, and nothing happens twice.
Another request under the same key is refused with 422. While the first one runs, a repetition is refused with 409 and \`Retry-After\`. Keys are kept for 48 hours.

**HEAD** is answered wherever GET is, with the status and headers of GET. Other methods that a path does not take are refused with 405, whose \`Allow\` names those that it takes.

**Lists** are paged. Use \`page_number\` from 1 with \`page_size\`, up to 10000 rows, or \`cursor\`: begin with \`cursor=start\` and go on with \`next_cursor\` until it is null.

**An empty query value**, such as \`?status=\`, counts as absent: \`allowEmptyValue\` of a parameter says so.

**Errors** are \`application/problem+json\` with a stable \`code\`, a \`message\` in plain words, every fault with its path in \`errors\`, and a \`request_id\`.
The extension \`x-error-codes\` says for every code when it occurs and what to do. Each response of an operation names its codes in \`x-codes\`.
The gateway itself answers 429 when a stage is called too often.

**Fields of the dialect that are not supported** are refused by name when they ask for something, and the message says what to do instead. They pass when they ask for nothing, such as \`false\`, \`null\` or \`[]\`.
Only harmless ones are accepted without effect: \`x-ignored-fields\` of a schema names them. Other unknown fields are refused. A stack that was upgraded from 0.2.0 leaves out what 0.2.0 ignored, until its operator sets \`strictFields\`.

**Changes are additive.** Answers may get new fields, so do not refuse fields that you do not know.`;
