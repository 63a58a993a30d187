import { demoCode } from '../seed.ts';

/** An invented buyer. */
interface Buyer {
  name: string;
  email: string;
  billing: { country: string; state?: string; city: string; street: string; zipcode: string };
}

type Address = readonly [country: string, city: string, street: string, zipcode: string, state?: string];

const buyer = (name: string, [country, city, street, zipcode, state]: Address): Buyer => ({
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  billing: { country, city, street, zipcode, ...(state && { state }) },
});

const anna = buyer('Anna Muster', ['DE', 'Hamburg', 'Musterweg 3', '20095']);
const bruno = buyer('Bruno Beispiel', ['AT', 'Wien', 'Beispielgasse 7', '1010']);
const chloe = buyer('Chloe Exemple', ['FR', 'Lyon', '12 rue de l’Exemple', '69001']);
const diego = buyer('Diego Ejemplo', ['ES', 'Valencia', 'Calle Ejemplo 5', '46001']);
const emma = buyer('Emma Sample', ['US', 'New York', '1 Sample Street', '10001', 'NY']);
const freya = buyer('Freya Eksempel', ['DK', 'Aarhus', 'Eksempelvej 9', '8000']);
const giulia = buyer('Giulia Esempio', ['IT', 'Bologna', 'Via Esempio 14', '40121']);
const hugo = buyer('Hugo Voorbeeld', ['NL', 'Utrecht', 'Voorbeeldstraat 21', '3511']);

/** What happens to a paid order later. A refund without an amount refunds the whole order. */
interface Afterwards {
  refund?: { hoursAgo: number; amount?: number; reason: string };
  disputedHoursAgo?: number;
  /** When the buyer downloaded the book, and on which device the program was then activated. */
  uses?: readonly { hoursAgo: number; device?: string }[];
}

export interface Order extends Afterwards {
  hoursAgo: number;
  buyer: Buyer;
  product: 'guide' | 'support' | 'calls';
  /** The price that the buyer chose, in cents. */
  amount?: number;
  code?: string;
  /** The last four digits of the test card. By default, it is a card that succeeds. */
  card?: string;
}

const declined = '0002';

/** Two weeks of orders in a small shop, oldest first. */
export const orders: readonly Order[] = [
  { hoursAgo: 321, buyer: anna, product: 'guide', uses: [{ hoursAgo: 320, device: 'Studio' }] },
  { hoursAgo: 312, buyer: hugo, product: 'support', amount: 500 },
  {
    hoursAgo: 290,
    buyer: chloe,
    product: 'guide',
    refund: { hoursAgo: 240, reason: 'Bought twice by mistake; the second one stays.' },
  },
  { hoursAgo: 289, buyer: chloe, product: 'guide' },
  { hoursAgo: 263, buyer: emma, product: 'guide' },
  { hoursAgo: 245, buyer: diego, product: 'calls' },
  { hoursAgo: 219, buyer: freya, product: 'support', amount: 2_500 },
  { hoursAgo: 196, buyer: giulia, product: 'guide' },
  {
    hoursAgo: 190,
    buyer: bruno,
    product: 'calls',
    refund: { hoursAgo: 166, amount: 400, reason: 'Half of the recordings were already on an older album.' },
  },
  { hoursAgo: 169, buyer: hugo, product: 'guide', code: demoCode },
  { hoursAgo: 146, buyer: anna, product: 'support', amount: 1_500 },
  {
    hoursAgo: 122,
    buyer: diego,
    product: 'guide',
    uses: [{ hoursAgo: 121, device: 'Portátil' }, { hoursAgo: 60 }],
    disputedHoursAgo: 27,
  },
  { hoursAgo: 118, buyer: emma, product: 'guide' },
  { hoursAgo: 95, buyer: bruno, product: 'support', amount: 5_000 },
  { hoursAgo: 74, buyer: freya, product: 'calls' },
  { hoursAgo: 70, buyer: giulia, product: 'guide', card: declined },
  { hoursAgo: 49, buyer: hugo, product: 'calls' },
  { hoursAgo: 46, buyer: chloe, product: 'support', amount: 1_500 },
  { hoursAgo: 26, buyer: bruno, product: 'guide' },
  { hoursAgo: 21, buyer: freya, product: 'guide' },
  { hoursAgo: 5, buyer: giulia, product: 'support', amount: 1_000 },
  { hoursAgo: 1, buyer: anna, product: 'calls' },
];
