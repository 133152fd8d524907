/** Compiled from connection.json by `npm run messages`. */
export const connection = {
  connection_certificate_ended: (values: {
    end: string | number;
    today: string | number;
  }): string =>
    `The certificate there has ended on ${values.end}, and the clock of this computer says ${values.today}. Set the clock where that is wrong; otherwise ask whoever runs the service for a new certificate.`,
  connection_certificate_of_other_names: (values: {
    address: string | number;
    host: string | number;
  }): string =>
    `The certificate at ${values.address} was made for other names than ${values.host}. Type the name that the organization is known by.`,
  connection_certificate_unknown: (values: {
    address: string | number;
    issuer: string | number;
  }): string =>
    `Nobody vouches for what answers at ${values.address}: its certificate is by ${values.issuer}. Check the address; a network that wants a sign-in page first may be the reason, too: open a browser and look.`,
  connection_clock_behind: (values: { today: string | number; start: string | number }): string =>
    `The clock of this computer says ${values.today}, and the certificate there begins on ${values.start}. Set the clock of this computer.`,
  connection_closed: (values: { host: string | number; port: string | number }): string =>
    `There is a computer at ${values.host}, and nothing listens at its port ${values.port}. Open Hearth on the hosting computer, let others join, and compare the port on its Office page.`,
  connection_deactivated:
    'The organization answers, and your account is deactivated. Ask an administrator.',
  connection_key_refused:
    'The organization answers, and does not accept your sign-in any more. Sign in again.',
  connection_name_unknown: (values: { host: string | number }): string =>
    `No computer is known by the name ${values.host} here. Check how it is spelled, or type the address in numbers that the Office page of the hosting computer shows.`,
  connection_needs_encryption: (values: { address: string | number }): string =>
    `What answers at ${values.address} wants to be spoken to with encryption. Type the address with https:// or with nothing in front.`,
  connection_network_missing:
    'This computer is in no network. Connect it to the network of the office, by cable or without.',
  connection_network_other: (values: {
    host: string | number;
    networks: string | number;
  }): string =>
    `${values.host} belongs to another network than this computer, which is in ${values.networks}. Join the network of the office, not the one for guests.`,
  connection_not_a_service: (values: { address: string | number }): string =>
    `Another program than Hearth answers at ${values.address}. Compare address and port with those on the Office page of the hosting computer.`,
  connection_old_service: (values: {
    address: string | number;
    version: string | number;
    oldest: string | number;
  }): string =>
    `The service at ${values.address} is Hearth ${values.version}, and this application needs ${values.oldest} or newer there. Ask whoever runs it to update it.`,
  connection_other_key: (values: { address: string | number }): string =>
    `Another computer answers at ${values.address}: its key is not the one of your organization. A network that wants a sign-in page first does that, too. Ask where the organization is now; nothing was sent there.`,
  connection_refused: (values: { address: string | number; reason: string | number }): string =>
    `The service at ${values.address} refuses: ${values.reason}`,
  connection_silent: (values: { host: string | number; port: string | number }): string =>
    `No computer answers at ${values.host}. See that the hosting computer is on and awake, that both are in the same network, and that its firewall lets port ${values.port} in.`,
  connection_silent_to_browser: (values: { address: string | number }): string =>
    `${values.address} does not answer this browser. See that the hosting computer is on and awake, and that this one is in its network.`,
  connection_unanswered: (values: { address: string | number }): string =>
    `${values.address} takes the connection and gives no answer. The service there may be starting, or overloaded: wait a minute, then ask whoever runs it.`,
  connection_unencrypted: (values: { address: string | number }): string =>
    `What answers at ${values.address} speaks without encryption, and Hearth does not. Check the port; a network that wants a sign-in page first may be the reason, too: open a browser and look.`,
  connection_well: (values: { address: string | number }): string =>
    `Hearth answers at ${values.address}, and nothing is wrong with the way there. Try again.`,
  connection_well_signed_in: (values: { address: string | number }): string =>
    `Hearth answers at ${values.address} and accepts your sign-in. It connects by itself in a moment.`,
  connection_without_organization: (values: { address: string | number }): string =>
    `The service at ${values.address} has no organization yet. Create one on its computer.`,
};
