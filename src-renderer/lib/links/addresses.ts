/** E-mail addresses that are typed into one field. */

const written = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What is no address, as it was typed. `Ana Ruiz <ana@example.com>` is one. */
export const badAddresses = (text: string): readonly string[] =>
  written(text).filter((each) => {
    const bare = /<([^<>]*)>$/.exec(each)?.[1] ?? each;
    return !/^[^\s@]+@[^\s@]+$/.test(bare.trim());
  });
