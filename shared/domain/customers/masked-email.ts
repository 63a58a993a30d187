/**
 * Shows only the first letters: `ann@shop.example` becomes `a***@s***`. Only the owner of the address recognizes it.
 */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return email === '' ? '' : `${[...local][0] ?? ''}***@${[...domain][0] ?? ''}***`;
}
