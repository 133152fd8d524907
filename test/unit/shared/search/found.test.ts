/** What a reader of each language expects to find. */
import { describe, expect, test } from 'vitest';
import { createHighlighter } from '#shared/search/highlight.ts';
import { matches, searchOf } from '#shared/search/query.ts';

const isFound = (text: string, query: string): boolean =>
  matches(null, text, searchOf([query], []));

describe('a text is found', () => {
  test.each<readonly [text: string, ...queries: string[]]>([
    // every run of letters, whatever stands around it
    ['東京都知事選挙', '東京都', '京都', '都知事', '選', '"知事選挙"', '東京 選挙'],
    ['我家在上海东边', '上海东', '"上海东"', '"上海东边"', '海', '家在'],
    ['東京に行きました。データベース', '行きま', 'ベース', '東京に', 'タベ'],
    ['データベースを消した', 'データベース', 'ﾃﾞｰﾀﾍﾞｰｽ', '"ﾍﾞｰｽを消"'],
    ['ﾃﾞｰﾀが消えた', 'データ', 'デ'],
    ['서울에서 한국은행까지', '서울', '한국', '은행', '한국은행'],
    ['회의는 내일입니다', '회의', '내일', '회의'.normalize('NFD')],
    ['ผมชอบกินข้าวผัด', 'ข้าว', 'ชอบกิน', 'กิ', 'ผม', 'ผัด', '"กินข้าว"'],
    ['ຂ້ອຍກິນເຂົ້າ', 'ກິນ', 'ເຂົ້າ'],
    ['ខ្ញុំចូលចិត្តបាយ', 'ចូល', 'បាយ'],
    ['ကျွန်တော်ထမင်းစားတယ်', 'ထမင်း', 'စား'],
    ['バージョン2の设计', 'バージョン', '设计', '2'],
    ['TokyoTower東京タワー', 'tower', '東京', 'タワー', 'tokyo*'],
    ['𠮷野家で食べた', '𠮷野', '野家', '𠮷'],
    ['葛󠄀城市', '葛城'],
    // Markdown in the middle of a word
    ['**会**議は明日', '会議', '"会議は"', '会'],
    ['un**believ**able and a*b', 'unbelievable', 'believ', 'b'],
    ['`Server`s are down', 'servers', '"servers are down"', 'server'],
    // prefixes and forms that each region types
    ['قرأت الكتاب وبالكتابة', 'كتاب', 'الكتاب', 'بالكتاب', 'كتا*'],
    ['إدارة المَدْرَسَة', 'ادارة', 'مدرسه', 'أداره', 'المدرسة'],
    ['علي في مكتبـــة', 'على', 'مكتبة', 'فی', 'في'],
    ['کیک ۱۲', 'كيك', '12', '١٢'],
    ['می‌خواهم بروم', 'میخواهم', 'می‌خواهم'],
    ['ראיתי את הספר ובבית', 'ספר', 'בית', 'הספר', 'סֵפֶר'],
    // letters of their own, accents, case and width
    ['Die Straße nach Łódź', 'strasse', 'STRASSE', 'Straße', 'STRAẞE', 'lodz', '"strasse nach"'],
    ['Ελλάδα και ΟΔΟΣ', 'ελλαδα', 'ΕΛΛΑΔΑ', 'οδος', 'οδός', '"οδος"'],
    ['Café Ærø, Þór og İstanbul ısı', 'cafe', 'aero', 'thor', 'istanbul', 'isi'],
    ['café au lait', '"café"', '"CAFE AU"', 'café'],
    ['ＷＩＤＥ１２', 'wide12', 'ｗｉｄｅ', '12'],
    ['don’t – never', '"don\'t"', '"don’t"'],
    ['ёлка и мой йод', 'елка', 'мой', 'йод'],
    ['đường Nguyễn Huệ', 'duong', 'nguyen hue', '"nguyễn huệ"'],
    ['हिन्दी में संदेश', 'हिन्दी', 'संदेश', 'हिन्*'],
    ['soft\u00adware and zero\u200bwidth', 'software', 'zerowidth'],
    ['👩🏽‍💻 and ❤️', '❤', '👩🏽‍💻', '"❤️"'],
  ])('%s', (text, ...queries) => {
    for (const query of queries) expect([query, isFound(text, query)]).toEqual([query, true]);
  });
});

describe('a text is not found', () => {
  test.each<readonly [text: string, ...queries: string[]]>([
    ['東京都知事選挙', '京東', '東知', '"都 知事"', '東京市'],
    ['서울에서', '울서', '부산'],
    ['ผมชอบกิน', 'กินชอบ'],
    ['мои слова', 'мой', 'слов'],
    ['قرأت الكتاب', 'كت', 'كتابة', '"كتاب"'],
    ['הספר', 'פר', 'ספרים'],
    ['Straße', 'stras', '"trasse"'],
    ['unbelievable', 'believable', '"believable"'],
    ['会**議', '会議室'],
    ['第13回', '"3回"', '3'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['anything', '"\u200d" nothing'],
  ])('%s', (text, ...queries) => {
    for (const query of queries) expect([query, isFound(text, query)]).toEqual([query, false]);
  });
});

describe('what was found is marked', () => {
  test.each([
    ['京都', '<p>東京都庁</p>', '<p>東[京都]庁</p>'],
    ['会議', '<p><strong>会</strong>議は明日</p>', '<p><strong>[会]</strong>[議]は明日</p>'],
    ['servers', '<p><code>Server</code>s run</p>', '<p><code>[Server]</code>[s] run</p>'],
    ['b', '<p>a<em>b</em>c</p>', '<p>a<em>[b]</em>c</p>'],
    ['hearth', '<p><strong>H</strong></p><p>earth</p>', '<p><strong>H</strong></p><p>earth</p>'],
    ['strasse', '<p>Die Straße &amp; der Weg</p>', '<p>Die [Straße] &amp; der Weg</p>'],
    ['"strasse & der"', '<p>Die Straße &amp; der Weg</p>', '<p>Die [Straße &amp; der] Weg</p>'],
    ['데이터', '<p>데이터베이스</p>', '<p>[데이터]베이스</p>'],
    ['データ', '<p>ﾃﾞｰﾀが消えた</p>', '<p>[ﾃﾞｰﾀ]が消えた</p>'],
    ['ข้าว', '<p>กินข้าวผัด</p>', '<p>กิน[ข้าว]ผัด</p>'],
    ['كتاب', '<p>قرأت الكِتَاب</p>', '<p>قرأت ال[كِتَاب]</p>'],
    ['مكتبة', '<p>مكتبـــة هنا</p>', '<p>[مكتبـــة] هنا</p>'],
    ['ελλαδα', '<p>η Ελλάδα</p>', '<p>η [Ελλάδα]</p>'],
    ['12', '<p>１２時</p>', '<p>[１２]時</p>'],
  ])('%s in %s', (query, html, expected) => {
    const marked = createHighlighter(searchOf([query], []).wanted).html(html);
    expect(marked.replaceAll('<span class="highlight">', '[').replaceAll('</span>', ']')).toBe(
      expected,
    );
  });
});
