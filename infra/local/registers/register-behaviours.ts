/** What a register is asked. */
export interface Question {
  register: 'vies' | 'brreg' | 'hmrc' | 'abn';
  /** As the register knows it: `DE136695976`, `923609016`. */
  id: string;
  /** The merchant's own number. */
  requester?: string | undefined;
}

/** The errors that VIES has, in its own words. They arrive with the status 200. */
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

/** What spoils an answer of any register. */
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

/** The rule of the sandbox: `9999` is invalid, `0000` has no answer. Germany and Spain tell no names. */
export function behaviourById({ id }: Question): RegisterBehaviour {
  if (id.includes('9999')) return 'invalid';
  if (id.includes('0000')) return 'MS_UNAVAILABLE';
  return /^(DE|ES)/.test(id) ? 'valid without a name' : 'valid';
}
