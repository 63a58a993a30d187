interface BrokenCopy {
  name: string;
  xml: string;
  /** The rule of EN 16931 that the copy breaks, or `XSD`. */
  rule: string;
}

/** Copies of a good invoice with one fault each, to see that the validator finds them. */
export function brokenCopies(xml: string): BrokenCopy[] {
  const broken = (name: string, rule: string, from: RegExp, to: string): BrokenCopy => {
    const copy = xml.replace(from, to);
    if (copy === xml) throw new Error(`${name} changes nothing.`);
    return { name, rule, xml: copy };
  };
  return [
    broken('a-cent-too-much', 'BR-CO-15', /(<cbc:TaxInclusiveAmount currencyID="EUR">\d+\.\d)\d/, '$17'),
    broken('another-line-total', 'BR-CO-10', /(<cbc:LineExtensionAmount currencyID="EUR">)\d+/, '$1999'),
    broken('a-vat-id-without-prefix', 'BR-CO-09', /<cbc:CompanyID>DE/, '<cbc:CompanyID>00'),
    broken('no-seller-id', 'BR-S-02', /<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/, ''),
    broken('an-unknown-currency', 'BR-CL-04', /<cbc:DocumentCurrencyCode>EUR/, '<cbc:DocumentCurrencyCode>EUX'),
    broken('another-rate', 'BR-S-08', /<cbc:Percent>7</, '<cbc:Percent>17<'),
    broken('something-due', 'BR-CO-16', /(<cbc:PayableAmount currencyID="EUR">)0/, '$11'),
    broken(
      'the-order-of-elements',
      'XSD',
      /(<cbc:ID>[^<]*<\/cbc:ID>)\s*(<cbc:IssueDate>[^<]*<\/cbc:IssueDate>)/,
      '$2$1',
    ),
  ];
}
