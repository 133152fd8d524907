const PICTURE = /\.(?:bmp|gif|jpe?g|png|webp)$/i;

/** An address without query and fragment. */
export const pathOf = (address: string): string => address.split(/[?#]/, 1).join('');

/** Whether what an address leads to is a picture that can be shown, by its name. */
export const isPictureAddress = (address: string): boolean => PICTURE.test(pathOf(address));
