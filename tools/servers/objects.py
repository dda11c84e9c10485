"""A server with the interface of S3 on files of this machine: S3Proxy, as Maven fetches it, with one bucket."""

import os
import urllib.error
import urllib.request

from servers.server import HOME, Server, jars

JARS = os.path.join(HOME, "objects-jars")
BUCKET = "backups"
KEY_ID = "footfall"
SECRET = "a-secret-of-tests"

SETTINGS = """s3proxy.endpoint=http://{host}:{port}
s3proxy.authorization=aws-v4
s3proxy.identity={key_id}
s3proxy.credential={secret}
s3proxy.v4-max-non-chunked-request-size=33554432
jclouds.provider=filesystem
jclouds.filesystem.basedir={data}
jclouds.identity=unused
jclouds.credential=unused
"""

LOGGING = """<configuration>
  <appender name="log" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %-5level %logger{0}: %msg%n</pattern></encoder>
  </appender>
  <root level="warn"><appender-ref ref="log"/></root>
</configuration>
"""


class Objects(Server):
    kind = "objects"

    def __init__(self):
        super().__init__("objects")
        self.host = "127.0.0.1"
        self.port = 18333
        self.place = "files"
        self.settings = os.path.join(self.folder, "conf", "s3proxy.conf")

    @staticmethod
    def fetch():
        jars("objects", JARS, "the jars of an S3 server (19 MB)")

    def prepare(self):
        data = os.path.join(self.folder, "data")
        self.write({"logback.xml": LOGGING, "s3proxy.conf": SETTINGS.format(
            host=self.host, port=self.port, key_id=KEY_ID, secret=SECRET, data=data,
        )})
        os.makedirs(os.path.join(data, BUCKET))

    def command(self):
        return [
            "java", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Djava.io.tmpdir={self.folder}",
            f"-Dlogback.configurationFile={self.folder}/conf/logback.xml", "-cp", f"{JARS}/*", "org.gaul.s3proxy.Main", "--properties", self.settings,
        ]

    def mark(self):
        return self.settings

    def serves(self):
        try:
            with urllib.request.urlopen(f"http://{self.host}:{self.port}/{BUCKET}", timeout=5):
                return True
        except urllib.error.HTTPError:
            return True  # it wants a signature
        except OSError:
            return False

    @staticmethod
    def agree(_):
        return True

    @staticmethod
    def environment(servers):
        return {
            "FOOTFALL_TEST_BUCKET": BUCKET,
            "AWS_ENDPOINT_URL": f"http://{servers[0].host}:{servers[0].port}",
            "AWS_ACCESS_KEY_ID": KEY_ID,
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }
