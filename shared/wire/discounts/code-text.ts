import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';

/** A code as it is typed, with letters in any case. It has a file to itself, so that functions that only sell load no other schema of discounts. */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,16}$/, says(sentences.discount_code))
  .transform((code) => code.toUpperCase());
