import * as z from 'zod';
import { withCode } from './with-code.ts';

/** Whether the value of an unsupported field asks for nothing, so that it can be accepted. */
export const asksNothing = (value: unknown = null): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The values that ask for nothing, as JSON Schema for the published contract. */
const nothing = {
  anyOf: [{ type: 'null' }, { type: 'boolean', enum: [false] }, { type: 'array', maxItems: 0, items: {} }],
} as const;

const refusing = (fault: ReturnType<typeof withCode>) =>
  z.unknown().refine(asksNothing, fault).meta(nothing).optional();

/** Refuses an unsupported field of the API, if its value asks for something. */
export const unsupported = (why: string) =>
  refusing(withCode('INVALID_REQUEST_PARAMETERS', `is not supported${why}; leave it out`));

/**
 * The fault of a field that version 0.2.0 ignored. A stack without `strictFields` removes such fields from the request,
 * and notes their path, or `name` instead.
 */
export const newlyRefused = (message: string, name?: string) => {
  const { error, params } = withCode('INVALID_REQUEST_PARAMETERS', message);
  return { error, params: { ...params, wasIgnored: true, ...(name !== undefined && { name }) } };
};

/** Refuses a field that version 0.2.0 ignored, if its value asks for something. The advice says what to do instead. */
export const noLongerIgnored = (advice: string) => refusing(newlyRefused(`is not supported; ${advice}`));
