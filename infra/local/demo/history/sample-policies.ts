import type { PolicyChange } from '../../../../shared/domain/catalogue/policies.ts';

/**
 * The texts that the demo shop publishes. With them, its checkout has the same links as a real one. Each text says that
 * it is an example.
 */
export const samplePolicies: readonly PolicyChange[] = [
  {
    kind: 'terms',
    language: 'en',
    text: `EXAMPLE. This text shows where your terms appear. It is no legal advice: replace it in the dashboard under Brands, Legal texts.

1. Who sells
The shop named on this page sells you the products of the checkout.

2. What you get
You get each product as its page describes it. Downloads are ready as soon as you have paid.

3. Price and payment
The total at the checkout is all that you pay. You pay once, by the card or the way that you choose.

4. Your rights
Your rights as a consumer stay as the law of your country has them.`,
  },
  {
    kind: 'privacy',
    language: 'en',
    text: `EXAMPLE. This text shows where your privacy notice appears. It is no legal advice: replace it in the dashboard under Brands, Legal texts.

What we keep
Your name, e-mail address, billing address and what you bought. Card numbers stay with the payment processor.

Why
To carry out your order, to send your receipt, and because tax law asks for it.

How long
As long as the law asks us to keep invoices. Write to us to see, correct or erase what we keep.`,
  },
  {
    kind: 'refunds',
    language: 'en',
    text: `EXAMPLE. This text shows where your refund terms appear. It is no legal advice: replace it in the dashboard under Brands, Legal texts.

Ask within 14 days of your purchase, by a reply to your receipt. You need not say why.
The money goes back the way that you paid, within a few days.`,
  },
];
