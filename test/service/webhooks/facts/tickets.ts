import type { FactTable } from './facts.ts';

const jiraFiles = 'BUG-15: New bug with hook';

export const ticketFacts: FactTable = {
  'jira/created_v1.json': {
    topic: jiraFiles,
    says: ['Leo Franchi created BUG-15', 'Priority: Major', 'Status: Open', 'Assignee'],
    of: ['issue.fields.description', 'issue.fields.issuetype.name'],
    links: ['http://lfranchi.com:8080/browse/BUG-15'],
  },
  'jira/created_with_unicode_v2.json': {
    topic: 'BUG-15: New bug with à hook',
    says: ['Leo Franchià created BUG-15'],
  },
  'jira/commented_v1.json': {
    topic: jiraFiles,
    says: ['Leo Franchi commented on BUG-15'],
    of: ['comment.body'],
  },
  'jira/commented_v2_with_two_full_links.json': {
    topic: jiraFiles,
    says: ['Leo Franchi commented on BUG-15', 'This is the [first link|https://google.com]'],
  },
  'jira/commented_markup_v1.json': {
    topic: 'TEST-7: Testing of rich text',
    says: ['Leonardo Franchi [Administrator] commented on TEST-7'],
    of: ['comment.body'],
  },
  'jira/deleted_v1.json': { topic: jiraFiles, says: ['Leo Franchi deleted BUG-15'] },
  'jira/reassigned_v1.json': {
    topic: jiraFiles,
    says: ['Leo Franchi updated BUG-15', 'Assignee: Leo Franchi'],
  },
  'jira/reassigned_v2.json': {
    topic: jiraFiles,
    says: ['Leo Franchi updated BUG-15', 'Assignee: Leo Franchi'],
  },
  'jira/comment_created.json': {
    topic: 'SP-1: Add support for newer format Jira issue comment events',
    says: ['Hemanth V. Alluri commented on SP-1'],
    of: ['comment.body'],
  },
  'jira/comment_created_no_issue_details.json': {
    topic: 'Jira',
    says: ['Hemanth V. Alluri commented on an issue'],
    of: ['comment.body'],
  },
  'jira/example_anomalous_payload.json': { refused: 'BAD_REQUEST', names: 'webhookEvent' },

  'trello/adding_member_to_card.json': {
    topic: 'Welcome Board',
    says: ['TomaszKolek added TomaszKolek to Card name'],
    links: ['https://trello.com/c/9BduUcVQ'],
  },
  'trello/changing_due_date_on_card.json': {
    says: ['TomaszKolek', 'due date of Card name', '2016-05-11', '2016-05-24'],
    links: ['https://trello.com/c/9BduUcVQ'],
  },
  'trello/removing_due_date_from_card.json': {
    says: ['TomaszKolek removed the due date of Card name'],
  },
  'trello/reopening_card.json': {
    says: ['TomaszKolek restored Card name'],
  },
  'trello/adding_checklist_to_card.json': {
    says: ['TomaszKolek added checklist Checklist to New card'],
    links: ['https://trello.com/c/xPKXoSTQ'],
  },
  'trello/check_item_on_card_checklist.json': {
    topic: 'Zulip',
    says: ['Eeshan Garg', 'Tomatoes', 'Something something'],
    of: ['action.memberCreator.fullName'],
    links: ['https://trello.com/c/R2thJK3P'],
  },
  'trello/adding_comment_to_card.json': {
    says: ['TomaszKolek commented on New card', 'New comment'],
    links: ['https://trello.com/c/xPKXoSTQ'],
  },
  'trello/removing_label_from_card.json': {
    says: ['TomaszKolek removed label green from'],
    of: ['action.data.card.name'],
  },
  'trello/removing_description_from_card.json': {
    says: ['Marco Matarazzo removed the description of New Card'],
    links: ['https://trello.com/c/P2r0z66z'],
  },
  'trello/change_board_background_image.json': { isSilent: true },

  'linear/issue_create_simple.json': {
    topic: 'Very small font in tooltip',
    says: ['Issue WEB-43', 'State: Todo'],
    of: ['data.description', 'data.priorityLabel', 'data.team.name'],
    links: ['url'],
  },
  'linear/issue_create_simple_without_description.json': {
    topic: 'Drop-down overflow in the select menu.',
    says: ['Issue WEB-42', 'High'],
    links: ['url'],
  },
  'linear/issue_sub_issue_create.json': {
    topic: 'Impact Analysis',
    says: ['Sub-issue WEB-46', 'created'],
    links: ['url'],
  },
  'linear/issue_sub_issue_update.json': {
    topic: 'Thorough Impact Analysis and Cost Realization',
    says: ['Sub-issue WEB-46', 'updated', 'Impact Analysis'],
    links: ['url'],
  },
  'linear/comment_create.json': {
    topic: 'Thorough Impact Analysis and Cost Realization',
    says: ['Satyam Bansal commented on'],
    of: ['data.issue.title'],
    links: ['url'],
  },

  'wekan/add_attachment.json': {
    says: ['JohnFish added attachment "hGfm5ksud8k" to card'],
    links: ['http://127.0.0.1/b/Jinj4Xj7qnHLRmrTY/bucket-list/pMtu7kPZvMuhhC4hL'],
  },
  'wekan/add_checklist.json': { says: ['JohnFish added checklist "To do" to card'] },
  'wekan/add_checklist_item.json': { says: ['added checklist item "merge commit 9dfe"'] },
  'wekan/checked_item.json': { says: ['JohnFish checked To do of checklist "To do"'] },
  'wekan/delete_attachment.json': { says: ['deleted attachment "hGfm5ksud8k.jpg"'] },
  'wekan/move_card.json': {
    topic: "Markdown and emoji's",
    says: ['from list "Development & Implementation"', 'to list "Design"'],
  },
  'wekan/removed_checklist.json': { says: ['JohnFish removed checklist "To do" from card'] },
  'wekan/removed_checklist_item.json': { says: ['JohnFish removed a checklist item'] },
  'wekan/restored_card.json': { says: ['JohnFish restored card', 'to list "Design"'] },

  'freshdesk/status_changed.json': {
    topic: '#11: Test ticket subject ☃',
    says: [
      'Requester Bob',
      'Waiting on Customer',
      'Low',
      'status from Resolved to Waiting on Customer',
    ],
    links: ['freshdesk_webhook.ticket_url'],
  },
  'freshdesk/public_note.json': {
    topic: '#11: Test ticket subject',
    says: ['public note', 'Requester Bob', 'Open', 'Medium'],
    links: ['freshdesk_webhook.ticket_url'],
  },
  'freshdesk/status_changed_fixture_with_missing_key.json': {
    refused: 'BAD_REQUEST',
    names: 'freshdesk_webhook.triggered_event',
  },
  'zendesk/inline-short_topic.txt': { topic: '#4: Test ticket', of: ['message'] },
};
