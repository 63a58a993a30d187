import type { Dictionary } from '../texts.ts';
import { signInDe } from './de.ts';
import { type SignInKey, signInEn } from './en.ts';
import { signInEs } from './es.ts';
import { signInFr } from './fr.ts';

/** The texts for a visitor who is not signed in, or is refused. */
export const signInDictionary: Dictionary<SignInKey> = { en: signInEn, de: signInDe, fr: signInFr, es: signInEs };
