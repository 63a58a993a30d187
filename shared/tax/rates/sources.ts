/** The sources of the facts, by the keys that the rate sheets use. */
export const sources: Readonly<Record<string, string>> = {
  openaccountants: 'github.com/openaccountants/openaccountants @284f491 (2026-04-22)',
  'sales-tax': 'github.com/valeriansaliou/node-sales-tax 2.23.0 res/sales_tax_rates.json (2026-05-19)',
  avalara: 'https://www.avalara.com/us/en/vatlive/global-vat-gst-on-e-services.html (2026-02-26)',
  'us-codes': 'US state service-taxability code table (public code, 2025)',
  kdeldycke: 'github.com/kdeldycke/vat-rates vat_rates.csv @7585c28 (2025-09-18)',
  doola: 'https://help.doola.com/sales-tax-applicability-for-online-services-doola-help-center (undated, older)',
  gumroad:
    'github.com/antiwork/gumroad db/seeds/020_development_staging/{no,au,sg}_tax_rates.rb + tax_rates_for_countries_that_collect_*.rb @8c16285 (2025-04-04)',
  ibericode: 'github.com/ibericode/vat-rates vat-rates.json @5abb1e1 (2025-08-12)',
  'vatcalc-us': 'https://vatcalc.com/?p=38086 (2024)',
  salestaxapi: 'https://salestaxapi.io/sales-tax-by-state (2026)',
  nexusbystate: 'https://nexusbystate.com/blog/saas-sales-tax-state-by-state-2026 (2026-06-02)',
  federalstatelaw: 'https://federalstatelaw.com/tables/sales-tax (2025-12-15)',
  'gumroad-eu':
    'github.com/antiwork/gumroad db/seeds/020_development_staging/eu_tax_rates.rb @0e889c3 (PR #5396, 2026-06-04)',
  sayervincent: 'https://sayervincent.co.uk/answers/are-education-and-training-vatable',
  vatposs: 'HMRC VATPOSS08500/13550 (same EU-derived rule)',
  officerbilling:
    'https://help.officerbilling.net/support/solutions/articles/61000296347-what-is-sales-tax- (undated, older)',
  'vatupdate-2020':
    'https://www.vatupdate.com/2020/05/06/vat-rate-applicable-to-e-publications-in-the-eu-recent-vat-rate-reduction-in-czech-spain-uk',
  'avalara-books':
    'https://www.avalara.com/vatlive/en/vat-news/2018-eu-harmonised-e-publications-vat-rates.html (2020-03-04)',
  'tax-foundation': 'Tax Foundation, 2026-01-26 (https://www.pubt.io/view/7620B9CF89ED89E4E43738396AF885FF180AB69C)',
  'avalara-la':
    'https://www.avalara.com/blog/en/north-america/2024/12/louisiana-to-raise-sales-tax-rate-tax-digital-products.html',
  'baker-tilly': 'Baker Tilly, 2025',
  bluemantle: 'http://www.bluemantle.ca/HST-Information.aspx (CRA point-of-sale rebate list: printed/audio books only)',
  eidebailly: 'https://eidebailly.com/insights/blogs/2024/12/20241220_louisiana',
  'revenu-quebec':
    'https://www.revenuquebec.ca/en/businesses/consumption-taxes/gsthst-and-qst/collecting-gst-and-qst/calculating-the-taxes/',
  'vatcalc-sk': 'https://vatcalc.com/canada/canada-saskatchewan-pst-digital-services-january-2019',
  'avalara-sk':
    'https://www.avalara.com/us/en/vatlive/country-guides/north-america/canada/saskatchewan-pst-eservices.html',
  taxandtradelaw: 'https://www.taxandtradelaw.com/Tax-Trade-Blog/manitoba-rst-extended-to-cloud-services.html',
  'tmi-aar': 'https://taxmanagementindia.com (AAR 2020(12) TMI 786: heading 9984, 18%)',
  '1stopvat':
    'https://1stopvat.com/canada-manitoba-provincial-sales-tax-on-cloud-computing-services-from-january-1-2026',
  handsoff: 'https://handsoffsalestax.com/sales-tax-on-digital-goods/',
  swiftltd: 'https://swiftltd.ca/blog/provincial-sales-tax-update-2024',
  '24-hu': 'https://24.hu/belfold/2019/11/05/e-konyv-afa-konyvek-ara/',
  accademica: 'https://www.accademica.eu/index.php/en/purchase-prices',
  andiraduta: 'https://www.github.com/andiraduta/istoric-preturi-ebooks (5% for e-books from 2022-01-01)',
  elearningworld:
    'https://elearningworld.eu/brazil-supreme-court-equates-printed-books-and-ebooks-removes-the-tax-on-the-latter/',
  'gov-uk': 'https://www.gov.uk/guidance/zero-rate-of-vat-for-electronic-publications',
  gstgyaan:
    'https://gstgyaan.com/cgst-rate-on-e-book-telecommunications-broadcasting-and-information-services-heading-9984',
  'gumroad-5395': 'github.com/antiwork/gumroad PR #5395 (citing PwC)',
  'gumroad-alerts': 'EY, PwC and KPMG alerts cited in github.com/antiwork/gumroad PR #5396',
  'gumroad-pwc': 'github.com/antiwork/gumroad PR #5396 (citing PwC)',
  'gumroad-pwc-lt': 'github.com/antiwork/gumroad PR #5396 (citing PwC Lithuania)',
  'in-13-2018':
    'Notification 13/2018-CT(R) entry 22 heading 9984(i): https://www.taxmanagementindia.com/visitor/detail_article.asp?ArticleID=9172',
  'joyful-printing':
    'https://www.joyful-printing.com/news/the-danish-government-announces-the-cancellati-85228539.html (CZ and IE abolished VAT on books)',
  'kik-bg': 'kik-bg.com (4% from 23 April 2020)',
  'kpmg-lv': 'https://kpmg.com/lv/en/home/insights/2025/10/changes-in-vat-for-books-press-and-publication.html',
  legalconsult: 'https://legalconsultexperts.uk/s/en/PST+and+GST+on+Books/35560',
  mkke: 'mkke.hu',
  orbitax:
    'https://wpqa.orbitax.com/taxhub/news/country/article/Bulgaria-Clarifies-Temporary-E-43791 (NRA: 9% for books on physical media OR electronically)',
  'revenue-ie': 'https://www.revenue.ie/en/vat/vat-on-services/electronic-services/electronic-publications/index.aspx',
  revisorernasyd: 'http://revisorernasyd.se/2019/06/24/lika-moms-pa-digitalt-och-tryckt/',
  'sales-tax-readme': 'github.com/valeriansaliou/node-sales-tax README (Hong Kong has no VAT)',
  steuersaetze: 'github.com/ThomasMoreAI/legal-skills-open steuersaetze.md (UStG §10(2), status 2026-08-05)',
  taxand:
    'https://www.taxand.com/our-thinking/switzerland-first-european-country-match-vat-treatment-e-books-paper-books/',
  taxjar: 'https://www.taxjar.com/blog/sales-tax-digital-products (2024/25)',
  'tex-code': 'Tex. Tax Code 151.351',
  'tex-tac': '34 TAC 3.330',
  tolley: 'Tolley, 2025-03-17',
  tungsten:
    'https://tungstenautomation.com/compliance-overview/country-updates/country/finland/vat-re-classifications-of-specific-products',
  'tungsten-books':
    'https://tungstenautomation.com/compliance-overview/country-updates/country/finland/vat-re-classifications-of-specific-products (books 10->14)',
  vatapi: 'vatapi.com news 2026-01-01 (reduced rate 14->13.5)',
  'vatcalc-38086': 'https://vatcalc.com/?p=38086',
  'vatcalc-gr': 'https://vatcalc.com/?p=6333',
  vatnode: 'github.com/vatnode/eu-vat-rates-data history',
  'vatupdate-dk': 'https://www.vatupdate.com/2025/08/24/denmark-plans-to-abolish-the-25-vat-on-books-in-2026',
  'vatupdate-fi':
    'https://www.vatupdate.com/2025/08/24/denmark-plans-to-abolish-the-25-vat-on-books-in-2026 (FI 14% in 2025)',
  'vatupdate-kpmg': 'vatupdate.com, 2021-09-01 (KPMG)',
  'vatupdate-lv':
    'https://www.vatupdate.com/2025/12/19/amendments-to-the-value-added-tax-law-reduced-rates-for-books-press-and-certain-foods',
  vbooks: 'HMRC VBOOKS8503',
  'assemblee-74633':
    'http://questions.assemblee-nationale.fr/q13/13-74633QE.htm (books 2.10% in the overseas departments)',
  'avalara-cn': 'https://cloud-prod.avlr.net/vatlive/en/country-guides/asia/china/china-vat-on-e-services.html',
  'baker-cn': 'https://www.bakermckenziefenxun.com/en/insight/2026/china-vat-implementation-rules-2026',
  'baker-tz':
    'https://resourcehub.bakermckenzie.com/en/resources/vatgst-rates--thresholds/emea-noneu/tanzania/topics/vat--gst',
  capitalizar: 'https://capitalizar.pt/reducao-taxa-de-iva-reduzida-na-regiao-da-madeira',
  easytax: 'https://www.easytax.co/en/tax-mag/info/eu-new-vat-rates-from-2026-what-business-need-to-know',
  economias: 'https://www.economias.pt/taxa-de-iva-na-madeira/',
  'fiscal-cn': 'https://www.fiscal-requirements.com/news/4245, /3664',
  'gh-act-1151': 'Value Added Tax Act, 2025 (Act 1151), Ghana',
  'jungil-vn': 'https://jungil.vn/en/foreign-contractor-tax-64.html (VAT Law 48/2024)',
  'kpmg-dc': 'https://kpmg.com/us/en/articles/this-week-in-state-tax/twist-251215.html (B26-0450)',
  maisrigor: 'https://maisrigor.com/impostos-portugal/iva',
  'meridian-lt': 'https://meridianglobalservices.com/de/lithuania-vat-rate-changes',
  'muc-id':
    'https://muc.co.id/en/article/vat-on-digital-goods-and-services-regulation-revised-monthly-reporting-now-mandatory (PER-12/PJ/2025)',
  'nation-th': 'https://www.nationthailand.com/business/economy/40055179 (decree until 2026-09-30)',
  'nirc-109': 'National Internal Revenue Code of the Philippines, s. 109(1)(R); not confirmed by a stored source',
  'oecd-2022':
    'https://oecd.org/en/publications/2022/11/consumption-tax-trends-2022_170b56f9/full-report/component-9.html',
  'oficio-25045': 'https://www.apcmc.pt/?p=34244 (Ofício Circulado 25045/2024)',
  'otr-dc':
    'https://www.einpresswire.com/article/854392226/notice-of-oct-1-2025-tax-changes (DC Office of Tax and Revenue)',
  'own-knowledge': 'known to the researcher, not confirmed by a stored source',
  'pagero-kz': 'https://www.pagero.com/compliance/regulatory-updates/kazakhstan',
  'pulse-gh':
    'https://www.pulse.com.gh/articles/news/government-abolishes-covid-19-levy-ghanaians-to-save-ghcent37-billion-ato-forson-2025111318525037231',
  'pwc-gh': 'https://www.pwc.co.za/en/publications/vat-in-africa/ghana-overview.html',
  'regfollower-dk':
    'https://regfollower.com/denmark-announces-2026-finance-bill-proposes-reduced-electricity-and-excise-tax-reliefs',
  'regfollower-kz': 'https://regfollower.com/?p=70923 (Law 214-VIII of 2025-07-18)',
  'regfollower-vn': 'https://regfollower.com/vietnam-national-assembly-approves-vat-rate-reduction-expands-scope',
  'revenue-kz':
    'https://www.enbekshiqazaq.kz/en/news/388991-top-questions-on-clarifying-the-norms-of.html (State Revenue Committee)',
  'reyes-ph': 'https://www.reyestacandong.com/bir-issuances-rr-no-3-2025/',
  'saltlaw-ms':
    'https://www.cookingwithsaltlaw.com/2023/06/mississippis-new-comprehensive-software-sales-tax-laws-what-you-need-to-know/',
  'sikaman-gh': 'https://sikamantimes.com/2026-budget-covid-19-levy-repealed-vat-threshold-raised',
  'simplyvat-lt': 'https://simplyvat.com/lithuania-reduces-the-vat-rates-on-electronic-books-and-more/',
  'sovos-lt': 'https://sovos.com/regulatory-updates/vat/lithuania-removes-9-reduced-vat-rate (Law XV-287)',
  'sti-ms':
    'https://www.salestaxinstitute.com/resources/mississippi-imposes-tax-on-computer-software-with-exemption-for-out-of-state-storage',
  'thomson-dc': 'https://tax.thomsonreuters.com/news/district-of-columbia-enacts-2026-budget-support-legislation',
  tvafr:
    'https://tvafr.blogspot.com/2012/01/le-livre-numerique-et-le-t-aux-de-tva.html (CGI 278-0 bis A 3 covers downloads)',
  'vatupdate-2019':
    'https://vatupdate.com/2019/09/25/vatupdate-overview-vat-rate-changes-in-eu-updated-as-of-1-september-2019',
  'vatupdate-bg':
    'https://www.vatupdate.com/2022/12/23/vat-rate-of-9-due-on-supplies-of-food-suitable-for-babies-baby-diapers-and-similar-baby-hygiene-articles (VAT Act art. 66a(2))',
  'vatupdate-bg-permanent':
    'https://www.vatupdate.com/2023/02/22/what-are-the-most-important-changes-in-the-main-tax-laws-for-2023',
  'vatupdate-ch':
    'https://www.vatupdate.com/2024/04/02/switzerland-considering-increased-employment-contributions-or-vat-to-fund-additional-pension-payment',
  'vatupdate-dk-2026':
    'https://www.vatupdate.com/2026/03/02/denmark-plans-2028-vat-cut-on-food-to-ease-prices-and-promote-healthier-diets',
  'vatupdate-ms': 'https://vatupdate.com/?p=232918 (SB 2449, Miss. Code 27-65-23, 27-67-5)',
  'vatupdate-tz':
    'https://www.vatupdate.com/2025/09/08/tanzania-lowers-vat-to-16-for-b2c-payments-awaiting-implementation-details',
};
