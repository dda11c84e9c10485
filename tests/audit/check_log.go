// Holds the audit log of a running server to what others have written for Go's checksum database: golang.org/x/mod/sumdb. Not one line of
// Footfall is used. Usage: check_log URL OLDER_HEAD_FILE, where the file has a head that was kept before the newest.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type log struct{ prefix string }

func must(err error, what string) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func (l log) get(path string) []byte {
	answer, err := http.Get(l.prefix + path)
	must(err, path)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(err, path)
	if answer.StatusCode != 200 {
		must(fmt.Errorf("%d %s", answer.StatusCode, body), path)
	}
	return body
}

// A checkpoint of C2SP: its signature, then the three lines.
func head(text []byte, key string) tlog.Tree {
	verifier, err := note.NewVerifier(strings.TrimSpace(key))
	must(err, "the key")
	signed, err := note.Open(text, note.VerifierList(verifier))
	must(err, "the signature")
	lines := strings.Split(signed.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		must(fmt.Errorf("%q", signed.Text), "the checkpoint")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err, "the size")
	root, err := base64.StdEncoding.DecodeString(lines[2])
	must(err, "the root")
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return tree
}

// Tiles as Go asks for them, "tile/8/L/N", and as C2SP names them, "tile/L/N".
type tiles struct{ log log }

func (t tiles) Height() int                         { return 8 }
func (t tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, each := range wanted {
		read = append(read, t.log.get("/tile/"+strings.TrimPrefix(each.Path(), "tile/8/")))
	}
	return read, nil
}

func (l log) proof(path string) []tlog.Hash {
	var answer struct{ Hashes [][]byte }
	must(json.Unmarshal(l.get(path), &answer), path)
	var hashes []tlog.Hash
	for _, each := range answer.Hashes {
		var hash tlog.Hash
		if copy(hash[:], each) != len(hash) {
			must(fmt.Errorf("%d bytes", len(each)), path)
		}
		hashes = append(hashes, hash)
	}
	return hashes
}

// All entries of a tree, by bundles.
func (l log) entries(size int64) [][]byte {
	var entries [][]byte
	for first := int64(0); first < size; first += 256 {
		width := min64(256, size-first)
		tile := tlog.Tile{H: 8, L: 0, N: first / 256, W: int(width)}
		path := strings.Replace(tile.Path(), "tile/8/0/", "/tile/entries/", 1)
		bundle := l.get(path)
		for len(bundle) > 0 {
			length := int(bundle[0])<<8 | int(bundle[1])
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	return entries
}

func min64(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func main() {
	l := log{os.Args[1] + "/api/v1/audit"}
	key := string(l.get("/key"))
	tree := head(l.get("/checkpoint"), key)
	kept, err := os.ReadFile(os.Args[2])
	must(err, "the older head")
	older := head(kept, key)

	entries := l.entries(tree.N)
	if int64(len(entries)) != tree.N {
		must(fmt.Errorf("%d of %d", len(entries), tree.N), "entries")
	}
	// Whatever the reader answers was held to the root before.
	reader := tlog.TileHashReader(tree, tiles{l})
	for at, entry := range entries {
		hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, int64(at))})
		must(err, "a leaf")
		if hashes[0] != tlog.RecordHash(entry) {
			must(fmt.Errorf("entry %d", at), "not what its leaf says")
		}
	}
	step := tree.N/97 + 1
	for at := int64(0); at < tree.N; at += step {
		hashes := l.proof(fmt.Sprintf("/inclusion?entry=%d&size=%d", at, tree.N))
		leaf := tlog.RecordHash(entries[at])
		must(tlog.CheckRecord(tlog.RecordProof(hashes), tree.N, tree.Hash, at, leaf), "inclusion")
		if len(hashes) > 0 {
			hashes[0][0] ^= 1
			if tlog.CheckRecord(tlog.RecordProof(hashes), tree.N, tree.Hash, at, leaf) == nil {
				must(fmt.Errorf("entry %d", at), "a spoilt proof was believed")
			}
		}
	}
	hashes := l.proof(fmt.Sprintf("/consistency?from=%d&to=%d", older.N, tree.N))
	must(tlog.CheckTree(tlog.TreeProof(hashes), tree.N, tree.Hash, older.N, older.Hash), "consistency")
	if bytes.Equal(older.Hash[:], tree.Hash[:]) {
		must(fmt.Errorf("nothing was recorded between"), "the older head")
	}
	fmt.Printf("%d entries, their proofs, and the head of %d from before: all hold\n", tree.N, older.N)
}
