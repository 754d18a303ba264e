import { describe, expect, it } from 'vitest';
import { guessEncoding } from '../../../src/adapters/csv/guessEncoding.ts';

/** Nothing in Node writes most of them: their bytes, as hexadecimal. */
const words = (names: string[]) => names.map((name) => Buffer.from(name, 'hex').toString('latin1'));

describe('the encoding of a file that is not in Unicode', () => {
  it.each<[string, string, string[]]>([
    [
      'pl: Łukasz Żak, Małgorzata Wiśniewska',
      'windows-1250',
      ['a3756b61737a20af616b', '4d61b3676f727a6174612057699c6e696577736b61'],
    ],
    ['cs: Tomáš Dvořák, Jiří Novák', 'windows-1250', ['546f6de19a2044766ff8e16b', '4a69f8ed204e6f76e16b']],
    ['hu: Szőke Ágnes, Győr', 'windows-1250', ['537af56b6520c1676e6573', '4779f572']],
    ['hr: Željko Šarić, Đorđe Čović', 'windows-1250', ['8e656c6a6b6f208a617269e6', 'd06f72f06520c86f7669e6']],
    ['ro: Ştefan Ionescu, Bucureşti', 'windows-1250', ['aa746566616e20496f6e65736375', '427563757265ba7469']],
    ['ru: Иван Петров, Мария Сидорова', 'windows-1251', ['c8e2e0ed20cfe5f2f0eee2', 'cce0f0e8ff20d1e8e4eef0eee2e0']],
    ['uk: Олексій Їжакевич, Київ', 'windows-1251', ['ceebe5eaf1b3e920afe6e0eae5e2e8f7', 'cae8bfe2']],
    ['ru in KOI8: Иван Петров, Мария Сидорова', 'koi8-r', ['e9d7c1ce20f0c5d4d2cfd7', 'edc1d2c9d120f3c9c4cfd2cfd7c1']],
    ['el: Γιώργος Παπαδόπουλος, Αθήνα', 'windows-1253', ['c3e9fef1e3eff220d0e1f0e1e4fcf0eff5ebeff2', 'c1e8deede1']],
    [
      'tr: Ayşe Yılmaz, Çağlar Öztürk, İbrahim Güneş, Şükrü Koç, İstanbul, Gülşah Işık, Muğla',
      'windows-1254',
      [
        '4179fe652059fd6c6d617a',
        'c761f06c617220d67a74fc726b',
        'dd62726168696d2047fc6e65fe',
        'defc6b72fc204b6fe7',
        'dd7374616e62756c',
        '47fc6cfe61682049fefd6b',
        '4d75f06c61',
      ],
    ],
    ['he: דוד כהן, שרה לוי', 'windows-1255', ['e3e5e320ebe4ef', 'f9f8e420ece5e9']],
    ['ar: محمد علي, فاطمة حسن', 'windows-1256', ['e3cde3cf20dae1ed', 'ddc7d8e3c920cdd3e4']],
    [
      'lt: Jonas Žukauskas, Eglė Petrauskaitė, Rūta Žemaitė',
      'windows-1257',
      ['4a6f6e617320de756b6175736b6173', '45676ceb20506574726175736b616974eb', '52fb746120de656d616974eb'],
    ],
    ['ja: 山田太郎, 鈴木花子', 'shift_jis', ['8e52936391be9859', '97e996d889d48e71']],
    [
      'ja EUC: たなかさん, 山田太郎, カタカナ商店',
      'euc-jp',
      ['a4bfa4caa4aba4b5a4f3', 'bbb3c5c4c2c0cfba', 'a5aba5bfa5aba5cabea6c5b9'],
    ],
    ['zh: 张伟, 王芳, 北京市朝阳区', 'gbk', ['d5c5ceb0', 'cdf5b7bc', 'b1b1bea9cad0b3afd1f4c7f8']],
    ['zh-TW: 張偉, 王芳, 臺北市', 'big5', ['b169b0b6', 'a4fdaada', 'bb4fa55fa5ab']],
    ['ko: 김철수, 이영희', 'euc-kr', ['b1e8c3b6bcf6', 'c0ccbfb5c8f1']],
    [
      'de on a Mac: Jürgen Müller, Käthe Schäfer, Bäckerei Groß',
      'macintosh',
      ['4a9f7267656e204d9f6c6c6572', '4b8a746865205363688a666572', '428a636b657265692047726fa7'],
    ],
    [
      'fr on a Mac: Zoé Lefèvre, François Désiré',
      'macintosh',
      ['5a6f8e204c65668f767265', '4672616e8d6f697320448e7369728e'],
    ],
    [
      'de: Straße, Müller, Bäcker, Émile',
      'windows-1252',
      ['53747261df65', '4dfc6c6c6572', '42e4636b6572', 'c96d696c65'],
    ],
    ['one name: Jürgen Müller', 'windows-1252', ['4afc7267656e204dfc6c6c6572']],
    ['one French name: Zoé Smith', 'windows-1252', ['5a6fe920536d697468']],
    ['fr: Zoé, François, Hélène, Œuvre', 'windows-1252', ['5a6fe9', '4672616ee76f6973', '48e96ce86e65', '8c75767265']],
    ['es: José Pérez, Ñandú', 'windows-1252', ['4a6f73e92050e972657a', 'd1616e64fa']],
    ['sv: Åsa Öberg, Björn', 'windows-1252', ['c5736120d662657267', '426af6726e']],
    ['da: Søren Ærø, Åse Kjær', 'windows-1252', ['53f872656e20c672f8', 'c57365204b6ae672']],
    ['pt: João, Conceição', 'windows-1252', ['4a6fe36f', '436f6e636569e7e36f']],
    [
      'signs: O’Brien, Acme®, Smith – Jones, 5 €',
      'windows-1252',
      ['4f92427269656e', '41636d65ae', '536d6974682096204a6f6e6573', '352080'],
    ],
  ])('is told from a few names, %s: %s', (_names, encoding, written) => {
    expect(guessEncoding(words(written))).toBe(encoding);
  });

  it('is UTF-8 where most of the names are, and some are broken', () => {
    expect(
      guessEncoding(['Jürgen', 'Käthe', 'Zoé'].map((name) => Buffer.from(name).toString('latin1')).concat('M\xfcller')),
    ).toBe('utf-8');
  });
});
