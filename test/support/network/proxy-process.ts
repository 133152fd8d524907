/**
 * A reverse proxy as it is right after it was installed: it asks its upstream under the upstream's own address. Arguments: the
 * port to listen on, that of the service on the same computer, and `bare`, or `forwarding` where it says for whom it asks.
 */
import { createServer, request } from 'node:http';
import process from 'node:process';

const [port, upstream = '', manner] = process.argv.slice(2);

createServer((asked, answer) => {
  const before = asked.headers['x-forwarded-for'];
  const remote = asked.socket.remoteAddress ?? '';
  const forwarded = {
    'x-forwarded-for': [...(before === undefined ? [] : [before]), remote].join(', '),
  };
  const passedOn = request(
    {
      ...{ host: '127.0.0.1', port: upstream, path: asked.url, method: asked.method },
      headers: {
        ...asked.headers,
        host: `127.0.0.1:${upstream}`,
        ...(manner === 'forwarding' ? forwarded : {}),
      },
    },
    (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    },
  );
  passedOn.on('error', () => answer.destroy());
  asked.pipe(passedOn);
}).listen(Number(port), '0.0.0.0', () => process.stdout.write('listening\n'));
