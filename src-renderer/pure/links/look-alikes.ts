/** Names that can be taken for each other: told apart by what nobody chooses freely, their addresses. */

/**
 * What single letters look like: Latin, Greek and Cyrillic ones and digits of the table of confusables of Unicode (UTS #39), where
 * decomposing them does not say it already. Behind each `=` stand those that look like what is before it.
 */
const CONFUSABLES = `
O=0ΟО l=1|IƖǀΙІӀ 2=ꝚƧꙄ 3=ꞫȜƷꝪЗӠ 5=Ƽ 6=б 8=ȣȢ 9=Ꝯ a=ɑαа A=ΑА aa=ꜳ AA=Ꜳ ae=æӕ AE=ÆӔ ao=ꜵ AO=Ꜵ au=ꜷ AU=Ꜷ av=ꜹꜻ
AV=ꜸꜺ ay=ꜽ AY=Ꜽ b=ƄЬ B=ꞴΒВ bl=Ы ʙ=в c=ᴄс C=С ꞓ=ɛεєԑ Ꞓ=Є ꜿ=ͽ Ꜿ=Ͽ d=ԁ Ꝺ=ꝺ dz=ʣ ẟ=δ e=ꬲеҽ E=ΕЕ ǝ=əә Ə=Ә Ɛ=Ԑ ɜ=ᴈз
ʚ=ꞝ f=ꬵꞙẝ F=ꞘϜ g=ɡᶃƍ G=Ԍ ɢ=ԍ h=һ H=ΗН ʜ=н Ƕ=Ԋ Ⱶ=Ͱ ꜧ=ꞕ i=ıɪɩιіꙇӏ j=ϳј J=ꞲͿЈ K=ΚК ll=ǁ lO=Ю ls=ʪ lz=ʫ M=ΜϺМ N=Ν
ᴎ=ͷи o=ᴏᴑꬽοσо oe=œ OE=Œ oo=ꝏꚙ OO=ꝎꚘ ɔ=ↄᴐͻ Ɔ=ↃϽ p=ρр P=ΡР ᴘ=ᴩ ɸ=φф q=ԛ ɋ=ᶐ ĸ=ᴋκк r=ꭇꭈᴦг R=Ʀ rn=m ᴙ=я s=ꜱƽѕ S=Ѕ
ß=ꞵβ ʃ=ꭍ Ʃ=Σ T=ΤТ T3=Ꜩ tf=ꝷ ts=ʦ ᴛ=τт u=ꞟᴜꭎꭒʋυ ue=ᵫ uo=ꭣ v=ᴠνѵ V=Ѵ ʌ=ᴧ Ʌ=ΛЛ w=ɯᴡѡԝ W=Ԝ ʍ=ᴍм x=х X=ꞳΧХ
y=ɣᶌʏỿꭚγуү Y=ΥУҮ ȝ=ʒꝫӡ z=ᴢ Z=Ζ þ=ƿϸ Þ=Ϸ ƨ=ᴤꙅ ƅ=ь ʘ=Ꙩ Γ=Г π=ᴨп Π=П ς=ϛ Φ=Ф χ=ꭓꭕ ψ=ѱ Ψ=Ѱ ω=ꞷꙍ И=Ͷ л=ᴫ љ=ꭠ Ꙍ=Ꞷ
ҷ=ӌ Ҷ=Ӌ
`;

const prototypes: ReadonlyMap<string, string> = new Map(
  CONFUSABLES.trim()
    .split(/\s+/)
    .flatMap((group) => {
      const [prototype = '', letters = ''] = group.split('=');
      return Array.from(letters, (letter) => [letter, prototype] as const);
    }),
);

const replaced = (text: string): string =>
  Array.from(text.normalize('NFKD'), (letter) => prototypes.get(letter) ?? letter).join('');

/**
 * Two names with the same skeleton look the same, or nearly so: they may differ in letters of other alphabets, in case, in
 * blanks. As UTS #39 makes it, for three alphabets; capitals and small letters are looked at after each other, and every i is an l,
 * because a capital one is.
 */
export const skeletonOf = (name: string): string =>
  replaced(replaced(name).toLowerCase()).replaceAll('i', 'l').replace(/\s+/g, ' ').trim();

interface Named {
  readonly userId: number;
  readonly fullName: string;
}

const skeletons = new WeakMap<Named, string>();

/** Made once for each person: there are thousands of them, and seldom does one change. */
function knownSkeleton(person: Named): string {
  const known = skeletons.get(person) ?? skeletonOf(person.fullName);
  skeletons.set(person, known);
  return known;
}

const found = new WeakMap<readonly Named[], ReadonlySet<number>>();

/** The ids of those among these people whose name looks like that of somebody else. */
export function lookAlikesOf(people: readonly Named[]): ReadonlySet<number> {
  const known = found.get(people);
  if (known !== undefined) return known;
  const bySkeleton = Map.groupBy(people, knownSkeleton);
  const alike = [...bySkeleton.values()].filter((group) => group.length > 1).flat();
  const ids = new Set(alike.map(({ userId }) => userId));
  found.set(people, ids);
  return ids;
}
