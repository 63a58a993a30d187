/** What an official register of tax ids says: VIES, HMRC, or the sandbox's double. */
export interface TaxIdRegister {
  /** `unavailable`: no answer, or no such register for the country. */
  confirm(id: string, country: string): Promise<'valid' | 'invalid' | 'unavailable'>;
}
