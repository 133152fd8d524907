/** Compiled from browser.json by `npm run messages`. */
export const browser = {
  account_signed_out_elsewhere:
    'This account was signed out in another tab, so nothing is kept here any more.',
  browser_full:
    'This browser gives the page no more space, so what you write cannot be kept safe. Send or discard what waits, and try again.',
  browser_keeps_no_messages:
    'This browser keeps nothing for this page: unsent messages and drafts are lost when the tab is closed. Allow the page to store data to keep them.',
  browser_keeps_no_preferences:
    'This browser keeps nothing for this page, so the choice cannot be kept. Allow the page to store data and try again.',
  browser_keeps_no_sign_ins:
    'This browser keeps nothing for this page, so nobody can stay signed in. Allow the page to store data, or sign in without that.',
  done_on_hosting_computer: 'This is done on the computer of the organization.',
};
