/** A membership begins behind the newest message that there ever was: behind those, too, that were deleted before it. */
export const newestMessage = `
CREATE VIEW newest_message AS
  SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0) AS id;
`;
