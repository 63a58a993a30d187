/** A question to a register. */
export interface Question {
  register: 'vies' | 'brreg' | 'hmrc' | 'abn';
  /** The id in the form of its register, such as `DE136695976` or `923609016`. */
  id: string;
  /** The merchant's own number. */
  requester?: string | undefined;
}

/** The error codes of VIES. It sends them with the status 200. */
export const viesErrors = [
  'MS_UNAVAILABLE',
  'MS_MAX_CONCURRENT_REQ',
  'MS_MAX_CONCURRENT_REQ_TIME',
  'TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'GLOBAL_MAX_CONCURRENT_REQ',
  'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  'INVALID_INPUT',
  'INVALID_REQUESTER_INFO',
  'VAT_BLOCKED',
  'IP_BLOCKED',
] as const;
export type ViesError = (typeof viesErrors)[number];

/** Failures that any register can have. */
export const troubles = [
  'slow',
  'drops the connection',
  'half an answer',
  'HTML',
  'another number',
  'too many requests',
] as const;

export type RegisterBehaviour = 'valid' | 'valid without a name' | 'invalid' | ViesError | (typeof troubles)[number];

export const isViesError = (behaviour: RegisterBehaviour): behaviour is ViesError =>
  viesErrors.some((error) => error === behaviour);

/**
 * The behaviour by the rule of the sandbox: an id with `9999` is invalid, and one with `0000` gets no answer. Germany
 * and Spain return no names.
 */
export function behaviourById({ id }: Question): RegisterBehaviour {
  if (id.includes('9999')) return 'invalid';
  if (id.includes('0000')) return 'MS_UNAVAILABLE';
  return /^(DE|ES)/.test(id) ? 'valid without a name' : 'valid';
}
