import type { PolicyKind } from '../catalogue/policies.ts';
import { hasRightOfWithdrawal } from '../withdrawal/consumer-area.ts';

/** What a shop already shows of the things that the law requires. */
export interface LegalFacts {
  /** The merchant's country. */
  country: string;
  /** Whether the shop sells to consumers in Europe, according to the merchant. */
  sellsToConsumers: boolean;
  published: readonly PolicyKind[];
  hasAddress: boolean;
  hasEmail: boolean;
  hasPhone: boolean;
  /** Whether mails are sent. Without them, no sale is confirmed. */
  hasSender: boolean;
}

const duties = ['imprint', 'privacy', 'terms', 'accessibility', 'address', 'email', 'phone', 'sender'] as const;
export type LegalDuty = (typeof duties)[number];

/** The duties of every seller in Europe. The other duties are for sellers whose buyers are consumers in Europe. */
const ofSellers: readonly LegalDuty[] = ['imprint', 'privacy', 'address', 'email'];

/**
 * The legal duties that the shop does not fulfil yet. They apply to merchants who sell to consumers of the European
 * Economic Area or the United Kingdom, from any country. They also apply to merchants who are established there.
 */
export function missingDuties(facts: LegalFacts): LegalDuty[] {
  const { published } = facts;
  const done: Record<LegalDuty, boolean> = {
    imprint: published.includes('imprint'),
    privacy: published.includes('privacy'),
    terms: published.includes('terms'),
    accessibility: published.includes('accessibility'),
    address: facts.hasAddress,
    email: facts.hasEmail,
    phone: facts.hasPhone,
    sender: facts.hasSender,
  };
  const isHere = hasRightOfWithdrawal(facts.country);
  return duties.filter((duty) => !done[duty] && (facts.sellsToConsumers || (isHere && ofSellers.includes(duty))));
}
