import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { EmailAddress, PhoneNumber } from '../addresses.ts';
import { says } from '../says.ts';
import { prose, text } from '../text/texts.ts';

const line = text(0, 300).nullish();
const lines = prose(0, 2_000).nullish();

/**
 * The entries for an imprint. It needs a telephone number or another quick way of contact. If the seller takes part in
 * arbitration, it needs the name of the arbitration board.
 */
export const ImprintInput = z
  .strictObject({
    name: text(1, 200),
    legalForm: line,
    represented: line,
    address: prose(1, 500),
    email: EmailAddress,
    phone: PhoneNumber.nullish(),
    otherWay: line,
    register: line,
    taxId: line,
    authority: line,
    responsible: line,
    arbitration: z.enum(['none', 'no', 'yes']),
    board: line,
  })
  .refine(({ phone, otherWay }) => phone || otherWay, { ...says(sentences.required), path: ['phone'] })
  .refine(({ arbitration, board }) => arbitration !== 'yes' || board, { ...says(sentences.required), path: ['board'] });
export type ImprintInput = z.infer<typeof ImprintInput>;

/** The entries for a statement on accessibility. It must say what is not accessible, unless everything is. */
export const AccessibilityInput = z
  .strictObject({
    service: prose(1, 500),
    status: z.enum(['full', 'partly']),
    exceptions: lines,
    email: EmailAddress,
    authority: line,
    checkedOn: z.iso.date(says(sentences.day)),
  })
  .refine(({ status, exceptions }) => status === 'full' || exceptions, {
    ...says(sentences.required),
    path: ['exceptions'],
  });
export type AccessibilityInput = z.infer<typeof AccessibilityInput>;
