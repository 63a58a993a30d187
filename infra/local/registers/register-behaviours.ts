/** A question to a register. */
export interface Question {
  register: 'vies' | 'brreg' | 'hmrc' | 'abn';
  /** The id in the register's form: `DE136695976`, `923609016`. */
  id: string;
  /** The merchant's own number. */
  requester?: string | undefined;
}

/** VIES's error codes. They arrive with the status 200. */
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

/** The sandbox's rule: `9999` is invalid, `0000` gets no answer. Germany and Spain return no names. */
export function behaviourById({ id }: Question): RegisterBehaviour {
  if (id.includes('9999')) return 'invalid';
  if (id.includes('0000')) return 'MS_UNAVAILABLE';
  return /^(DE|ES)/.test(id) ? 'valid without a name' : 'valid';
}
