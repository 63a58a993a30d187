import * as z from 'zod';

/** The country of the buyer, with its evidence. It is stored for the tax authority; the address always decides. */
export const LocationEvidence = z.object({
  items: z.array(
    z.object({
      type: z.enum(['billing_address', 'ip', 'card_country']),
      country: z.string(),
      region: z.string().nullable(),
    }),
  ),
  /** `two_match`: another item confirms the address; `conflict`: card and IP both contradict it. */
  status: z.enum(['two_match', 'one_only', 'conflict']),
});
export type LocationEvidence = z.infer<typeof LocationEvidence>;

interface Known {
  billing: { country: string; state: string | null };
  ipCountry: string | null;
  cardCountry: string | null;
}

/** Collects the known evidence. The address always decides. */
export function locationEvidence({ billing, ipCountry, cardCountry }: Known): LocationEvidence {
  const others = [
    { type: 'ip' as const, country: ipCountry },
    { type: 'card_country' as const, country: cardCountry },
  ].flatMap(({ type, country }) => (country === null ? [] : [{ type, country, region: null }]));
  const address = { type: 'billing_address' as const, country: billing.country, region: billing.state };
  return { items: [address, ...others], status: statusOf(billing.country, others) };
}

/** Adds the country of the card, which is known once the charge has ended. */
export function withCardCountry(evidence: LocationEvidence, country: string | null): LocationEvidence {
  const [address, ...others] = evidence.items;
  if (country === null || !address || others.some(({ type }) => type === 'card_country')) return evidence;
  const all = [...others, { type: 'card_country' as const, country, region: null }];
  return { items: [address, ...all], status: statusOf(address.country, all) };
}

function statusOf(country: string, others: readonly { country: string }[]): LocationEvidence['status'] {
  if (others.some((other) => other.country === country)) return 'two_match';
  return others.length === 2 ? 'conflict' : 'one_only';
}
