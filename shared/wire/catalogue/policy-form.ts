import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { EmailAddress, PhoneNumber } from '../addresses.ts';
import { says } from '../says.ts';
import { prose, text } from '../text/texts.ts';

const line = text(0, 300).nullish();
const lines = prose(0, 2_000).nullish();

/** What an imprint needs: a telephone number or another quick way, and the board if the seller takes part. */
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

/** What a statement on accessibility needs: what is not accessible, unless everything is. */
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
