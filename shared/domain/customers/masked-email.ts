/** The first letters only: `ann@shop.example` becomes `a***@s***`. Its owner recognizes it, and nobody else. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return email === '' ? '' : `${[...local][0] ?? ''}***@${[...domain][0] ?? ''}***`;
}
