# Certificates for test servers; sourced by the scripts beside it, in the folder where `tls/` shall be. An authority of
# its own signs: good (localhost, bed.local), other (another name), expired; self is signed by itself.

certificates() {
    mkdir -p tls
    if [ ! -f tls/ca.pem ]; then
        openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=metnos test bed" \
            -addext "basicConstraints=critical,CA:TRUE" -keyout tls/ca.key -out tls/ca.pem 2>/dev/null
        signed() { # name, names it is for, days
            openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "tls/$1.key" -out "tls/$1.csr" 2>/dev/null
            printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$2" >"tls/$1.ext"
            openssl x509 -req -in "tls/$1.csr" -CA tls/ca.pem -CAkey tls/ca.key -CAcreateserial -extfile "tls/$1.ext" \
                "${@:3}" -out "tls/$1.pem" 2>/dev/null
        }
        signed good "DNS:localhost,DNS:bed.local" -days 3650
        signed other "DNS:other.example" -days 3650
        openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=localhost" -addext "subjectAltName=DNS:localhost" \
            -addext "basicConstraints=critical,CA:FALSE" \
            -keyout tls/self.key -out tls/self.pem 2>/dev/null
        # Good until yesterday: `x509 -days` takes no past, `ca` does.
        openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout tls/expired.key -out tls/expired.csr 2>/dev/null
        mkdir -p tls/db && : >tls/db/index && echo 1000 >tls/db/serial
        printf '[ca]\ndefault_ca=c\n[c]\ndir=tls/db\nnew_certs_dir=tls/db\ndatabase=tls/db/index\nserial=tls/db/serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n[e]\nsubjectAltName=DNS:localhost\n' >tls/ca.cnf
        openssl ca -batch -config tls/ca.cnf -extensions e -cert tls/ca.pem -keyfile tls/ca.key -notext \
            -startdate 20200101000000Z -enddate 20210101000000Z -in tls/expired.csr -out tls/expired.pem 2>/dev/null
    fi
}
