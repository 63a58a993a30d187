import type { Dictionary } from '../texts.ts';
import { frameDe } from './de.ts';
import { type FrameKey, frameEn } from './en.ts';
import { frameEs } from './es.ts';
import { frameFr } from './fr.ts';

/** What the frame of the dashboard says, in every language that can be chosen. */
export const frameDictionary: Dictionary<FrameKey> = { en: frameEn, de: frameDe, fr: frameFr, es: frameEs };
