/** What a crowd is called and what it says: made up, the same every time, in several scripts and lengths. */

const given =
  'Adaeze Bjørn Chiara Dmitri Éloïse Fatoumata Gökhan Hildegard Ixchel Jörg Katarzyna Lwazi Małgorzata Nguyễn Oyelaran Panagiotis Quirin Róisín Siobhán Thùy Ulrike Vikram Wilhelmina Xiomara Yusuf Zdravko Ann Bo Cy Di Ed Flo Gil Hal Ivo Jo Kit Lu'.split(
    ' ',
  );
const family =
  'Abernathy Bąk Castellanos Dvořáková Eriksdóttir Featherstonehaugh Guðmundsson Håkansson Iwu Jankowski Kowalczyk Łukasik McAllister Nováková Oyelowo Papadopoulou Quispe Rasmussen Śliwińska Takahashi Underhill Vandenberghe Wu Xu Yılmaz Zimmermann'.split(
    ' ',
  );

/** Names as people really have them: each kind of them wants something else of a row. */
const special = [
  // As long as a name may be, of many words and of one.
  'Maximiliane-Alexandra Theodora Konstantina von Hohenlohe-Schillingsfürst und zu Waldenburg-Pfedelbach',
  'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafewarenwohlgepf',
  '佐藤 美咲',
  '王小明',
  'محمد عبد الرحمن الشريف',
  'Дмитрий Александрович Преображенский',
  'अनन्या चट्टोपाध्याय',
  'ศิริพร วัฒนานุกูลกิจ',
  'Ελευθερία Παπακωνσταντίνου',
  'שירה בן־דוד',
  '김민준',
  'X Æ A-12',
  'Anna 2',
  'Anna 10',
  'Anna 1',
  '3rd Floor Reception',
  'Bo',
  'J.',
] as const;

export function peopleNames(count: number): readonly string[] {
  const names = new Set<string>(special.slice(0, count));
  for (let i = 0; names.size < count; i += 1) {
    const first = given[(i * 7) % given.length] ?? '';
    const last = family[(i * 11 + Math.floor(i / given.length)) % family.length] ?? '';
    const name = `${first} ${last}`;
    // Two people may have one name: then a number tells them apart.
    names.add(names.has(name) ? `${name} ${String(i)}` : name);
  }
  return [...names];
}

const kinds = 'project team region customer machine supplier season material'.split(' ');
const things =
  'Amber Birch Cedar Dune Ember Fjord Granite Harbour Indigo Juniper Kiln Lichen Meadow Nutmeg Opal Pewter Quarry Russet Saffron Thistle Umber Valley Willow Yarrow Zephyr'.split(
    ' ',
  );

export function streamNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const name = `${kinds[i % kinds.length] ?? ''} ${things[Math.floor(i / kinds.length) % things.length] ?? ''}`;
    if (i % 9 === 0)
      return `${name}: planning, procurement, people and all that follows`.slice(0, 60);
    return i % 13 === 0 ? `${name} ${String(2020 + (i % 7))}` : name;
  });
}

export const sentences = [
  'Could somebody confirm the dates before noon?',
  'The parcel came back because the house number was missing, so I sent it again with the right one this morning.',
  'Thanks!',
  'It is the third time this month that the blue label comes off, and the customer has sent photographs of every one of them.',
  'I will call them tomorrow.',
  'Who has the key of the second store room?',
  'Lieferung bestätigt, die Rechnung folgt am Donnerstag.',
  'Le transporteur passera entre huit heures et midi.',
  '検査は来週の火曜日に行います。',
  'Накладная подписана, ждём машину.',
  'See https://example.com/a/very/long/address/that/has/no/place/where/it/could/break?reference=8f14e45fceea167a5a36dedd4bea2543',
  'One more for the list.',
  'Done.',
  'We agreed on 18 mm boards, two coats of oil and a delivery in the second week of April, unless the weather turns.',
] as const;
