

def main(arguments):
    try:
        if arguments[0] == "download":
            download(json.loads(arguments[1]))
        else:
            upload(json.loads(arguments[1]), int(arguments[2]))
        return 0
    except (Refused, OSError, http.client.HTTPException) as e:
        say("ERROR: %s" % e)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
