/** Writes a decimal string as a percentage, without rounding errors: 0.14975 → 14.975. */
export function percent(rate: string | null): number | null {
  if (rate === null) return null;
  const [whole = '0', places = ''] = rate.split('.');
  const shifted = `${whole}${places.padEnd(2, '0').slice(0, 2)}.${places.slice(2) || '0'}`;
  return Number(shifted);
}
