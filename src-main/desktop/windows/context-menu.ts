import { clipboard, Menu, type WebContents } from 'electron';
import { contextMenu } from './context-menu-template.ts';
import { isOpenable } from '../system/external-links.ts';

/** The menu of text fields, links and pictures; where the page shows one of its own, none is asked for here. */
export function showContextMenus(contents: WebContents, openLink: (url: string) => void): void {
  contents.on('context-menu', (_event, params) => {
    const items = contextMenu(
      { ...params, linkURL: isOpenable(params.linkURL) ? params.linkURL : '' },
      {
        replace: (word) => contents.replaceMisspelling(word),
        addToDictionary: (word) => contents.session.addWordToSpellCheckerDictionary(word),
        copyLink: (url) => void clipboard.writeText(url),
        openLink,
        copyImage: () => contents.copyImageAt(params.x, params.y),
      },
    );
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
}
