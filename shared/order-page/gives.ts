import type { SessionLine } from '../domain/checkout/checkout-session.ts';
import { type Html, html } from '../pages/html.ts';
import type { TranslateOrder } from '../texts/texts.ts';

/** One thing that a line gives its buyer: so far the text and the address that the merchant wrote at the product. */
interface Given {
  url: string | null;
  instructions: string | null;
}

/** A line of the order, and what it gives. */
export interface GivingLine {
  name: string;
  gives: readonly Given[];
}

/** What a line gives, as its checkout session froze it. */
export const givenBy = (sold: Pick<SessionLine, 'delivery'> | undefined): Given[] =>
  sold?.delivery ? [sold.delivery] : [];

/** Everything that a line gives, below its name. Screen readers hear the name with each link. */
export const givenParts = ({ name, gives }: GivingLine, t: TranslateOrder): Html =>
  html`${gives.map(
    ({ url, instructions }) =>
      html`${
        instructions &&
        html`<p class="prose" dir="auto">${instructions}</p>
`
      }${
        url &&
        html`<p><a class="pay" href="${url}" rel="noopener noreferrer" target="_blank">${t('open')}<span class="visually-hidden" dir="auto"> (${name})</span></a></p>
`
      }`,
  )}`;
