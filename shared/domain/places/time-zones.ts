/**
 * The IANA time zone of each place, by area: `city=places`. Large countries and states use the zone of their capital.
 */
const zonesByArea = {
  Africa:
    'Abidjan=CI Accra=GH Addis_Ababa=ET Algiers=DZ Asmara=ER Bamako=ML Bangui=CF Banjul=GM Bissau=GW ' +
    'Blantyre=MW Brazzaville=CG Bujumbura=BI Cairo=EG Casablanca=MA Ceuta=ES-CE,ES-ML Conakry=GN Dakar=SN ' +
    'Dar_es_Salaam=TZ Djibouti=DJ Douala=CM El_Aaiun=EH Freetown=SL Gaborone=BW Harare=ZW Johannesburg=ZA ' +
    'Juba=SS Kampala=UG Khartoum=SD Kigali=RW Kinshasa=CD Lagos=NG Libreville=GA Lome=TG Luanda=AO Lusaka=ZM ' +
    'Malabo=GQ Maputo=MZ Maseru=LS Mbabane=SZ Mogadishu=SO Monrovia=LR Nairobi=KE Ndjamena=TD Niamey=NE ' +
    'Nouakchott=MR Ouagadougou=BF Porto-Novo=BJ Sao_Tome=ST Tripoli=LY Tunis=TN Windhoek=NA',
  America:
    'Anguilla=AI Antigua=AG Argentina/Buenos_Aires=AR Aruba=AW Asuncion=PY Barbados=BB Belize=BZ Bogota=CO ' +
    'Boise=US-ID Caracas=VE Cayenne=FR-GF,GF Cayman=KY ' +
    'Chicago=US-AL,US-AR,US-IA,US-IL,US-KS,US-LA,US-MN,US-MO,US-MS,US-ND,US-NE,US-OK,US-SD,US-TN,US-TX,US-WI ' +
    'Costa_Rica=CR Curacao=CW Denver=US-CO,US-MT,US-NM,US-UT,US-WY Detroit=US-MI Dominica=DM ' +
    'Edmonton=CA-AB,CA-NT El_Salvador=SV Grand_Turk=TC Grenada=GD Guadeloupe=FR-GP,GP Guatemala=GT ' +
    'Guayaquil=EC Guyana=GY Halifax=CA-NS,CA-PE Havana=CU Indiana/Indianapolis=US-IN Iqaluit=CA-NU Jamaica=JM ' +
    'Juneau=US-AK Kralendijk=BQ La_Paz=BO Lima=PE Los_Angeles=US-CA,US-NV,US-OR,US-WA Lower_Princes=SX ' +
    'Managua=NI Marigot=MF Martinique=FR-MQ,MQ Mexico_City=MX Miquelon=PM Moncton=CA-NB Montevideo=UY ' +
    'Montserrat=MS Nassau=BS New_York=US Nuuk=GL Panama=PA Paramaribo=SR Phoenix=US-AZ Port-au-Prince=HT ' +
    'Port_of_Spain=TT Puerto_Rico=PR Regina=CA-SK Santiago=CL Santo_Domingo=DO Sao_Paulo=BR St_Barthelemy=BL ' +
    'St_Johns=CA-NL St_Kitts=KN St_Lucia=LC St_Thomas=VI St_Vincent=VC Tegucigalpa=HN Toronto=CA Tortola=VG ' +
    'Vancouver=CA-BC Whitehorse=CA-YT Winnipeg=CA-MB',
  Antarctica: 'McMurdo=AQ',
  Arctic: 'Longyearbyen=SJ',
  Asia:
    'Aden=YE Almaty=KZ Amman=JO Ashgabat=TM Baghdad=IQ Bahrain=BH Baku=AZ Bangkok=TH Beirut=LB Bishkek=KG ' +
    'Brunei=BN Colombo=LK Damascus=SY Dhaka=BD Dili=TL Dubai=AE Dushanbe=TJ Hebron=PS Ho_Chi_Minh=VN ' +
    'Hong_Kong=HK Jakarta=ID Jerusalem=IL Kabul=AF Karachi=PK Kathmandu=NP Kolkata=IN Kuala_Lumpur=MY ' +
    'Kuwait=KW Macau=MO Manila=PH Muscat=OM Nicosia=CY Phnom_Penh=KH Pyongyang=KP Qatar=QA Riyadh=SA Seoul=KR ' +
    'Shanghai=CN Singapore=SG Taipei=TW Tashkent=UZ Tbilisi=GE Tehran=IR Thimphu=BT Tokyo=JP Ulaanbaatar=MN ' +
    'Vientiane=LA Yangon=MM Yerevan=AM',
  Atlantic:
    'Azores=PT-20 Bermuda=BM Canary=ES-CN Cape_Verde=CV Faroe=FO Madeira=PT-30 Reykjavik=IS South_Georgia=GS ' +
    'St_Helena=SH Stanley=FK',
  Australia: 'Sydney=AU',
  Europe:
    'Amsterdam=NL Andorra=AD Athens=GR Belgrade=RS,XK Berlin=DE Bratislava=SK Brussels=BE Bucharest=RO ' +
    'Budapest=HU Chisinau=MD Copenhagen=DK Dublin=IE Gibraltar=GI Guernsey=GG Helsinki=FI Isle_of_Man=IM ' +
    'Istanbul=TR Jersey=JE Kyiv=UA Lisbon=PT Ljubljana=SI London=GB Luxembourg=LU Madrid=ES Malta=MT ' +
    'Mariehamn=AX Minsk=BY Monaco=MC Moscow=RU Oslo=BV,NO Paris=FR Podgorica=ME Prague=CZ Riga=LV Rome=IT ' +
    'San_Marino=SM Sarajevo=BA Skopje=MK Sofia=BG Stockholm=SE Tallinn=EE Tirane=AL Vaduz=LI Vatican=VA ' +
    'Vienna=AT Vilnius=LT Warsaw=PL Zagreb=HR Zurich=CH',
  Indian:
    'Antananarivo=MG Chagos=IO Christmas=CX Cocos=CC Comoro=KM Kerguelen=HM,TF Mahe=SC Maldives=MV ' +
    'Mauritius=MU Mayotte=FR-YT,YT Reunion=FR-RE,RE',
  Pacific:
    'Apia=WS Auckland=NZ Efate=VU Fakaofo=TK Fiji=FJ Funafuti=TV Guadalcanal=SB Guam=GU Honolulu=US-HI ' +
    'Majuro=MH Nauru=NR Niue=NU Norfolk=NF Noumea=NC Pago_Pago=AS Palau=PW Pitcairn=PN Pohnpei=FM ' +
    'Port_Moresby=PG Rarotonga=CK Saipan=MP Tahiti=PF Tarawa=KI Tongatapu=TO Wake=UM Wallis=WF',
};

const zoneOfPlace: ReadonlyMap<string, string> = new Map(
  Object.entries(zonesByArea).flatMap(([area, zones]) => zones.split(' ').flatMap((zone) => placesOf(area, zone))),
);

/** The time zone that decides a place's tax date. A region without an entry uses its country's zone. */
export const timeZoneOf = (country: string, region = ''): string =>
  zoneOfPlace.get(`${country}-${region}`) ?? zoneOfPlace.get(country) ?? 'UTC';

/** Every time zone of a country, with those of its islands and overseas departments. */
export const timeZonesOf = (country: string): string[] => {
  const zones = [...zoneOfPlace].filter(([place]) => place === country || place.startsWith(`${country}-`));
  return [...new Set(zones.map(([, zone]) => zone))];
};

/** By how many hours, at least and at most, an area's clocks are ahead of UTC, with one spare hour on both sides. */
const hoursAheadByArea: Readonly<Record<string, readonly [least: number, most: number]>> = {
  Africa: [-1, 4],
  America: [-10, 0],
  Asia: [1, 10],
  Atlantic: [-5, 2],
  Australia: [9, 12],
  Europe: [-1, 5],
  Indian: [2, 8],
};

/**
 * The offsets of winter and summer in the zones of most sales. With them, a calendar is needed in only one hour of a
 * day instead of six or ten. No spare hour is needed: if a law ends the change of clocks, one of the two offsets stays.
 */
const hoursAheadByZone: ReadonlyMap<string, readonly [least: number, most: number]> = new Map(
  (
    [
      [0, 1, 'Europe/', 'Dublin Lisbon London'],
      [
        1,
        2,
        'Europe/',
        'Amsterdam Berlin Brussels Copenhagen Madrid Oslo Paris Prague Rome Stockholm Vienna Warsaw Zurich',
      ],
      [2, 3, 'Europe/', 'Athens Bucharest Helsinki'],
      [-5, -4, 'America/', 'New_York Toronto'],
      [-6, -5, 'America/', 'Chicago'],
      [-7, -6, 'America/', 'Denver'],
      [-8, -7, 'America/', 'Los_Angeles Vancouver'],
    ] as const
  ).flatMap(([least, most, area, cities]) =>
    cities.split(' ').map((city): [string, [number, number]] => [`${area}${city}`, [least, most]]),
  ),
);

/** By how many hours, at least and at most, a zone's clocks are ahead of UTC, in any season. */
export const hoursAheadOf = (timeZone: string): readonly [least: number, most: number] =>
  hoursAheadByZone.get(timeZone) ?? hoursAheadByArea[timeZone.split('/')[0] ?? ''] ?? [-12, 15];

function placesOf(area: string, zone: string): [place: string, zone: string][] {
  const [city = '', places = ''] = zone.split('=');
  return places.split(',').map((place) => [place, `${area}/${city}`]);
}
