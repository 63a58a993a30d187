import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';

/**
 * A code as typed, in upper or lower case. It is in its own file, so that functions that only sell load no other schema
 * of discounts.
 */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,16}$/, says(sentences.discount_code))
  .transform((code) => code.toUpperCase());
