import { ApiFault } from './account.ts';
import { type FormBody, textAt } from './form-body.ts';

/** A whole number in a request. */
export function wholeNumberAt(parameters: FormBody, path: string, otherwise?: number): number {
  const text = textAt(parameters, path);
  if (text === undefined && otherwise !== undefined) return otherwise;
  if (text === undefined)
    throw new ApiFault(400, `Missing required param: ${path}.`, { code: 'parameter_missing', param: path });
  if (!/^-?\d+$/.test(text))
    throw new ApiFault(400, `Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: path });
  return Number(text);
}

/** A text that a request must contain. */
export function requiredText(parameters: FormBody, path: string): string {
  const text = textAt(parameters, path);
  if (text === undefined)
    throw new ApiFault(400, `Missing required param: ${path}.`, { code: 'parameter_missing', param: path });
  if (text === '')
    throw new ApiFault(400, `You passed an empty string for '${path}'.`, {
      code: 'parameter_invalid_empty',
      param: path,
    });
  return text;
}
